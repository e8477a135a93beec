//! Engines: a scripted one with all the faults that an engine can have, and Stockfish if it is
//! installed.
#![cfg(target_os = "linux")]

use std::{
    collections::BTreeSet,
    env, fs,
    path::PathBuf,
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicUsize, Ordering::SeqCst},
    thread,
    time::Duration,
};

use chess_audit::internals::oracle::engine::{
    Answer, EngineCounts, EngineError, EngineSettings, Engines, Limit, MAX_FAILURES, MateLine, Question, Score,
};
use shakmaty::{CastlingMode, Chess, Position, PositionError, fen::Fen, uci::UciMove};

use crate::common::{
    engines::{Fake, MAX_WAIT, Script, USUAL, fen, members, positions, stockfish, until},
    program::Outcome,
};

fn questions() -> Vec<Question> {
    positions().into_iter().map(|position| Question::new(position, Limit::Nodes(1000))).collect()
}

fn position(fen: &str) -> Outcome<Chess> {
    Ok(fen.parse::<Fen>()?.into_position(CastlingMode::Chess960)?)
}

/// Asks all questions from several threads, and returns the answers in the order of the questions.
fn ask_all(engines: &Engines, questions: &[Question], threads: usize) -> Vec<Result<Answer, EngineError>> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut answers = Vec::new();
        loop {
            let index = next.fetch_add(1, SeqCst);
            let Some(question) = questions.get(index) else { return answers };
            answers.push((index, engines.ask(question)));
        }
    };
    let mut answers: Vec<_> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("no panic")).collect()
    });
    answers.sort_by_key(|(index, _)| *index);
    answers.into_iter().map(|(_, answer)| answer).collect()
}

fn all_answers(engines: &Engines, questions: &[Question], threads: usize) -> Outcome<Vec<Answer>> {
    Ok(ask_all(engines, questions, threads).into_iter().collect::<Result<_, _>>()?)
}

#[test]
fn an_engine_is_started_when_it_is_asked_and_told_what_makes_answers_repeatable() -> Outcome {
    let fake = Fake::new(USUAL)?;
    let options = vec![("skill level".to_owned(), "3".to_owned())];
    let engines = Engines::new(EngineSettings { options, ..fake.settings() })?;
    assert_eq!((fake.started(), engines.name()), (vec![], None));
    let questions = questions();
    for (number, question) in questions.iter().take(2).enumerate() {
        let best = question.position.legal_moves()[0];
        let score = Score::Centipawns(i32::try_from(number * 7)?);
        let expected = Answer { score, best_move: Some(best), line: vec![best], depth: 5, nodes: 900 };
        assert_eq!(engines.ask(question)?, expected);
    }
    assert_eq!(engines.name().as_deref(), Some("Fake 1"));
    let counts = EngineCounts { questions: 2, answered: 2, ..EngineCounts::default() };
    assert_eq!(engines.counts(), counts);
    drop(engines);
    let [pid] = fake.started()[..] else { return Err("one process".into()) };
    let [first, second] = [0, 1].map(|number| format!("position fen {}", fen(&questions[number].position)));
    let expected = [
        "uci",
        "setoption name Threads value 1",
        "setoption name skill level value 3",
        "setoption name UCI_Chess960 value false",
        "isready",
        "ucinewgame",
        "isready",
        &first,
        "go nodes 1000",
        "ucinewgame",
        "isready",
        &second,
        "go nodes 1000",
        "quit",
    ];
    assert_eq!(fake.log(pid)?, expected);
    fake.nothing_is_left()
}

#[test]
fn nothing_is_started_without_a_question() -> Outcome {
    let fake = Fake::new(USUAL)?;
    let cache = tempfile::tempdir()?;
    let engines = Engines::new(fake.cached(cache.path()))?;
    // Neither is it asked where nobody can move.
    let mated = Question::new(position("R5k1/5ppp/8/8/8/8/8/7K b - - 0 1")?, Limit::Nodes(1));
    let answer = engines.ask(&mated)?;
    assert_eq!((answer.score, answer.best_move), (Score::Mate(0), None));
    assert_eq!(answer.mate_line(&mated.position), MateLine::Shown(0));
    let stalemated = Question::new(position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")?, Limit::Nodes(1));
    assert_eq!(engines.ask(&stalemated)?.score, Score::Centipawns(0));
    assert_eq!(engines.counts(), EngineCounts::default());
    // Nor about what no game can have.
    let setup: Fen = "4k3/pppppppp/8/8/8/8/PPPPPPPP/QQ2K3 w - - 0 1".parse()?;
    let queens = setup.into_position(CastlingMode::Standard).or_else(PositionError::ignore_too_much_material)?;
    let error = engines.ask(&Question::new(queens, Limit::Nodes(1))).expect_err("too many queens");
    assert!(error.is_not_asked(), "{error}");
    assert_eq!(engines.counts(), EngineCounts { questions: 1, not_asked: 1, ..EngineCounts::default() });
    drop(engines);
    assert!(fake.started().is_empty());
    assert_eq!(fs::read_dir(cache.path())?.count(), 0);
    Ok(())
}

#[test]
fn each_fault_is_a_failure_of_its_own() -> Outcome {
    const WAITS: bool = true;
    // What it does, whether a time-out is expected, and what is said.
    let faults = [
        (Script { uci: "exit 3", ..USUAL }, !WAITS, "ended after `uci` (exit status: 3); run it by hand"),
        (
            Script { uci: "echo no network >&2; exit 3", ..USUAL },
            !WAITS,
            "(exit status: 3), with `no network` on standard error;",
        ),
        (Script { uci: "hang", ..USUAL }, WAITS, "did not answer `uci` within 0.3 seconds; allow more time"),
        (Script { uci: "exec sleep 1000", ..USUAL }, WAITS, "did not answer `uci`"),
        (Script { uci: "exec <&-; hang", ..USUAL }, WAITS, "did not answer `uci`"),
        (Script { uci: "head -c 9999 /dev/zero | tr '\\0' '\\033'; echo; hang", ..USUAL }, WAITS, "last wrote `\\u{1b}\\u{1b}"),
        (Script { uci: "hello; exit 0", ..USUAL }, !WAITS, "ended after `isready` (exit status: 0)"),
        (Script { isready: "hang", ..USUAL }, WAITS, "did not answer `isready`"),
        (Script { go: "hang", ..USUAL }, WAITS, "did not answer `go` within 0.3 seconds"),
        (
            Script { go: "echo info depth 1; hang", ..USUAL },
            WAITS,
            "and last wrote `info depth 1`; allow more time, or fewer nodes",
        ),
        (Script { go: "exit 1", ..USUAL }, !WAITS, "ended after `go` (exit status: 1)"),
        (Script { go: "kill -9 $$", ..USUAL }, !WAITS, "ended after `go` (signal: 9 (SIGKILL))"),
        (Script { go: "kill -SEGV $$", ..USUAL }, !WAITS, "ended after `go` (signal: 11 (SIGSEGV)"),
        (Script { go: "exec >&-; hang", ..USUAL }, !WAITS, "closed its output after `go`, but did not end"),
        (Script { go: "exec yes \"info string $(printf %3000s x)\"", ..USUAL }, !WAITS, "bytes after `go`, but no answer"),
        (Script { go: "exec tr '\\0' x < /dev/zero", ..USUAL }, !WAITS, "wrote a line of more than 65,536 bytes after `go`"),
        (Script { isready: "echo ready; hang", ..USUAL }, WAITS, "and last wrote `ready`;"),
        (Script { go: "echo info score cp 1; echo bestmove e2e5", ..USUAL }, !WAITS, "answered `e2e5`, which is not legal, in `"),
        (Script { go: "echo info score cp 1; echo bestmove e9e4", ..USUAL }, !WAITS, "answered `e9e4`, which is not legal"),
        (Script { go: "echo info score cp 1; echo bestmove 0000", ..USUAL }, !WAITS, "did not name a move in `"),
        (Script { go: "echo info score cp 1; echo 'bestmove (none)'", ..USUAL }, !WAITS, "did not name a move"),
        (Script { go: "echo bestmove g1f3", ..USUAL }, !WAITS, "named a move without a score in `"),
        (Script { go: "echo bestmove", ..USUAL }, !WAITS, "answered `bestmove`, which is not UCI"),
        (Script { go: "echo info score cp one; answer", ..USUAL }, !WAITS, "answered `info score cp one`, which is not UCI"),
        (Script { go: "echo info score mate 1 pv g1f3; echo bestmove g1f3", ..USUAL }, !WAITS, "announced `mate 1` with a line"),
        (
            Script { go: "echo info score mate 2 pv g1f3 a1a8; echo bestmove g1f3", ..USUAL },
            !WAITS,
            "answered `a1a8`, which is not legal",
        ),
    ];
    // Its table has this position, and it can play g1f3.
    let question = Question::new(Chess::default(), Limit::Nodes(1000));
    for (script, waits, message) in faults {
        let fake = Fake::new(script)?;
        let timeout = if waits { Duration::from_millis(300) } else { MAX_WAIT };
        let engines = Engines::new(EngineSettings { answer_timeout: timeout, ..fake.settings() })?;
        let error = engines.ask(&question).expect_err(message);
        assert!(error.to_string().contains(message), "{message}: {error}");
        let counts = EngineCounts { questions: 1, failed: 1, timed_out: u64::from(waits), ..Default::default() };
        assert_eq!(engines.counts(), counts, "{error}");
        // The process is gone before the error is returned, and not only when the pool is closed.
        fake.nothing_is_left()?;
    }
    Ok(())
}

#[test]
fn an_engine_that_cannot_run_is_not_tried_again() -> Outcome {
    let home = tempfile::tempdir()?;
    let missing = home.path().join("missing");
    for program in [missing.clone(), home.path().to_owned()] {
        let error = Engines::new(EngineSettings::of(&program)).expect_err("not a program").to_string();
        assert_eq!(error, format!("the engine `{}` was not found; install it, or check the path", program.display()));
    }
    fs::write(&missing, "not a program")?;
    let engines = Engines::new(EngineSettings::of(&missing))?;
    let question = Question::new(Chess::default(), Limit::Nodes(1));
    let error = engines.ask(&question).expect_err("not a program").to_string();
    assert!(error.contains("cannot be started: ") && error.contains("check that it is a program"), "{error}");
    let error = engines.ask(&question).expect_err("given up").to_string();
    assert!(error.starts_with("the engine was given up after 1 failure: the engine `"), "{error}");

    let fake = Fake::new(USUAL)?;
    let option = |name: &str| vec![(name.to_owned(), "1".to_owned())];
    let engines = Engines::new(EngineSettings { options: option("Contempt"), ..fake.settings() })?;
    let error = engines.ask(&question).expect_err("no such option").to_string();
    assert_eq!(error, "Fake 1 has no option `Contempt`; remove it from the settings");
    assert!(matches!(engines.ask(&question), Err(EngineError::GivenUp { failures: 1, .. })));
    assert_eq!(fake.started().len(), 1);
    let error = Engines::new(EngineSettings { options: option("threads"), ..fake.settings() }).expect_err("our own").to_string();
    assert_eq!(error, "the engine option `threads` cannot be set: chess-audit sets it, so that answers can be repeated");
    Ok(())
}

#[test]
fn after_some_failures_the_engine_is_given_up() -> Outcome {
    let fake = Fake::new(Script { go: "exit 1", ..USUAL })?;
    let engines = Engines::new(fake.settings())?;
    let errors: Vec<String> =
        questions().iter().map(|question| engines.ask(question).expect_err("it dies").to_string()).collect();
    let failures = usize::try_from(MAX_FAILURES)?;
    let reason = "the engine ended after `go` (exit status: 1); run it by hand to see why";
    for error in &errors[..failures - 1] {
        assert_eq!(error, reason);
    }
    assert_eq!(errors[failures - 1], format!("{reason}; after 3 failures, the engine is not used any more"));
    for error in &errors[failures..] {
        assert_eq!(error, &format!("the engine was given up after 3 failures: {reason}"));
    }
    assert_eq!(fake.started().len(), failures);
    let questions = u64::try_from(errors.len())?;
    assert_eq!(engines.counts(), EngineCounts { questions, failed: questions, ..EngineCounts::default() });
    fake.nothing_is_left()
}

#[test]
fn after_a_failure_the_next_question_goes_to_a_new_process() -> Outcome {
    // It dies at every third question.
    let fake = Fake::new(Script { go: "asked=$asked.; [ $asked = ... ] && exit 1; answer", ..USUAL })?;
    let engines = Engines::new(fake.settings())?;
    let questions = &questions()[..8];
    let answers: Vec<bool> = questions.iter().map(|question| engines.ask(question).is_ok()).collect();
    assert!(answers.iter().enumerate().all(|(index, answered)| *answered == (index % 3 != 2)), "{answers:?}");
    assert_eq!(fake.started().len(), questions.len().div_ceil(3));
    drop(engines);
    fake.nothing_is_left()
}

/// Otherwise an audit of many games would wait for as many time-outs.
#[test]
fn an_engine_that_hangs_at_every_second_question_is_given_up() -> Outcome {
    let fake = Fake::new(Script { go: "asked=$asked.; [ $asked = .. ] && hang; answer", ..USUAL })?;
    let engines = Engines::new(EngineSettings { answer_timeout: Duration::from_millis(500), ..fake.settings() })?;
    let answers: Vec<_> = questions().iter().map(|question| engines.ask(question)).collect();
    let failures = usize::try_from(MAX_FAILURES)?;
    for (index, answer) in answers[..2 * failures].iter().enumerate() {
        let is_time_out = answer.as_ref().is_err_and(EngineError::is_time_out);
        assert_eq!((answer.is_ok(), is_time_out), (index % 2 == 0, index % 2 == 1), "{index}: {answer:?}");
    }
    let last = answers[2 * failures - 1].as_ref().expect_err("the last failure").to_string();
    assert!(last.ends_with("; after 3 failures, the engine is not used any more"), "{last}");
    for answer in &answers[2 * failures..] {
        let error = answer.as_ref().expect_err("given up").to_string();
        assert!(error.starts_with("the engine was given up after 3 failures: the engine did not answer `go`"), "{error}");
    }
    assert_eq!(fake.started().len(), failures);
    drop(engines);
    fake.nothing_is_left()
}

#[test]
fn what_an_engine_says_in_between_does_not_matter() -> Outcome {
    // It answers twice, talks a lot, fills standard error, and writes lines that end as on Windows.
    let go =
        "head -c 300000 /dev/zero >&2; echo debug; echo info string x; answer; answer; echo bestmove a1a1; echo info score cp x";
    let fake = Fake::new(Script { go, uci: "printf 'Fake by somebody\\r\\n\\r\\n'; hello; echo uciok", ..USUAL })?;
    let usual = Fake::new(USUAL)?;
    let questions = questions();
    let answers = all_answers(&Engines::new(usual.settings())?, &questions, 1)?;
    assert_eq!(all_answers(&Engines::new(fake.settings())?, &questions, 1)?, answers);
    fake.nothing_is_left()
}

#[test]
fn the_number_of_processes_does_not_change_the_answers() -> Outcome {
    let fake = Fake::new(USUAL)?;
    let questions = questions();
    let mut results = Vec::new();
    for (processes, threads) in [(1, 1), (1, 4), (4, 8), (0, 1)] {
        let before = fake.started().len();
        let engines = Engines::new(EngineSettings { processes, ..fake.settings() })?;
        results.push(all_answers(&engines, &questions, threads)?);
        drop(engines);
        assert!((1..=processes.max(1)).contains(&(fake.started().len() - before)));
        fake.nothing_is_left()?;
    }
    assert!(results.windows(2).all(|pair| pair[0] == pair[1]));
    let scores: BTreeSet<String> = results[0].iter().map(|answer| format!("{:?}", answer.score)).collect();
    assert_eq!(scores.len(), questions.len(), "each position has its own score");
    Ok(())
}

#[test]
fn four_processes_think_at_the_same_time() -> Outcome {
    // Nobody answers before four are asked.
    let go = "echo $$ >> \"$home/asked\"; while [ $(sort -u \"$home/asked\" | wc -l) -lt 4 ]; do :; done; answer";
    let fake = Fake::new(Script { go, ..USUAL })?;
    let engines = Engines::new(EngineSettings { processes: 4, ..fake.settings() })?;
    all_answers(&engines, &questions(), 4)?;
    assert_eq!(fake.started().len(), 4);
    Ok(())
}

#[test]
fn a_second_run_answers_from_the_cache_without_the_engine() -> Outcome {
    let fake = Fake::new(USUAL)?;
    let cache = tempfile::tempdir()?;
    let directory = cache.path().join("new/cache");
    let questions = questions();
    let number = u64::try_from(questions.len())?;
    let engines = Engines::new(EngineSettings { processes: 2, ..fake.cached(&directory) })?;
    let answers = all_answers(&engines, &questions, 4)?;
    assert_eq!(engines.counts(), EngineCounts { questions: number, answered: number, ..EngineCounts::default() });
    assert!(engines.cache_error().is_none());
    drop(engines);
    let started = fake.started();

    let engines = Engines::new(fake.cached(&directory))?;
    assert_eq!(engines.name().as_deref(), Some("Fake 1"));
    assert_eq!(all_answers(&engines, &questions, 4)?, answers);
    assert_eq!(engines.counts(), EngineCounts { questions: number, from_cache: number, ..EngineCounts::default() });
    assert_eq!(fake.started(), started, "the engine was started");

    // Only what is new is asked: here, another limit.
    let mut more = questions.clone();
    more[5].limit = Limit::Nodes(2000);
    all_answers(&engines, &more, 1)?;
    assert_eq!(engines.counts().answered, 1);
    // Other options are another engine.
    let other = EngineSettings { options: vec![("Skill Level".to_owned(), "1".to_owned())], ..fake.cached(&directory) };
    let other = Engines::new(other)?;
    all_answers(&other, &questions[..3], 1)?;
    assert_eq!(other.counts().from_cache, 0);
    drop((engines, other));
    fake.nothing_is_left()
}

#[test]
fn failures_are_not_kept() -> Outcome {
    let cache = tempfile::tempdir()?;
    let fake = Fake::new(Script { go: "[ -e \"$home/works\" ] || exit 1; answer", ..USUAL })?;
    let question = questions().swap_remove(0);
    assert!(Engines::new(fake.cached(cache.path()))?.ask(&question).is_err());
    fs::write(fake.home.path().join("works"), "")?;
    let engines = Engines::new(fake.cached(cache.path()))?;
    engines.ask(&question)?;
    assert_eq!(engines.counts().answered, 1);
    Ok(())
}

#[test]
fn the_same_question_is_asked_once() -> Outcome {
    let fake = Fake::new(USUAL)?;
    let cache = tempfile::tempdir()?;
    let engines = Engines::new(EngineSettings { processes: 4, ..fake.cached(cache.path()) })?;
    let same = vec![questions().swap_remove(0); 40];
    all_answers(&engines, &same, 8)?;
    assert_eq!(engines.counts(), EngineCounts { questions: 40, answered: 1, from_cache: 39, ..EngineCounts::default() });
    Ok(())
}

#[test]
fn runs_share_a_cache_and_damage_in_it_is_asked_again() -> Outcome {
    let fake = Fake::new(USUAL)?;
    let cache = tempfile::tempdir()?;
    let questions = questions();
    let run = || -> Result<Vec<Answer>, String> {
        let engines = Engines::new(fake.cached(cache.path())).map_err(|error| error.to_string())?;
        all_answers(&engines, &questions, 2).map_err(|error| error.to_string())
    };
    let results: Vec<_> = thread::scope(|scope| {
        let runs: Vec<_> = (0..3).map(|_| scope.spawn(run)).collect();
        runs.into_iter().map(|run| run.join().expect("no panic")).collect()
    });
    let answers = results[0].clone()?;
    assert!(results.iter().all(|result| result.as_ref() == Ok(&answers)));

    // In each file, one byte in the middle is damaged.
    let mut files = 0;
    for entry in fs::read_dir(cache.path())? {
        let path = entry?.path();
        let mut bytes = fs::read(&path)?;
        let middle = bytes.len() / 2;
        bytes[middle] ^= 0x10;
        fs::write(&path, bytes)?;
        files += 1;
    }
    assert!(files > 10, "{files} files");
    let engines = Engines::new(fake.cached(cache.path()))?;
    assert_eq!(all_answers(&engines, &questions, 2)?, answers);
    Ok(())
}

#[test]
fn a_cache_that_cannot_be_used_is_an_error_and_one_that_cannot_be_written_is_none() -> Outcome {
    let fake = Fake::new(USUAL)?;
    let home = tempfile::tempdir()?;
    fs::write(home.path().join("file"), "")?;
    let error = Engines::new(fake.cached(&home.path().join("file"))).expect_err("a file").to_string();
    assert!(error.starts_with("the engine cache `") && error.ends_with("; choose another directory"), "{error}");
    let engines = Engines::new(fake.cached(&home.path().join("cache")))?;
    // Its files cannot be created in a file.
    fs::remove_dir(home.path().join("cache"))?;
    fs::write(home.path().join("cache"), "")?;
    assert_eq!(all_answers(&engines, &questions(), 1)?.len(), questions().len());
    let error = engines.cache_error().ok_or("an error")?.to_string();
    assert!(error.starts_with("the engine cache `"), "{error}");
    Ok(())
}

#[test]
fn answers_of_another_engine_are_not_mixed_in() -> Outcome {
    // The script is the same, but what it starts is another engine.
    let hello = "echo id name $(cat \"$home/name\"); echo uciok";
    let fake = Fake::new(Script { uci: hello, ..USUAL })?;
    let cache = tempfile::tempdir()?;
    let questions = questions();
    fs::write(fake.home.path().join("name"), "Fish 16")?;
    all_answers(&Engines::new(fake.cached(cache.path()))?, &questions[..3], 1)?;
    fs::write(fake.home.path().join("name"), "Fish 17")?;
    let engines = Engines::new(EngineSettings { processes: 2, ..fake.cached(cache.path()) })?;
    all_answers(&engines, &questions[..3], 1)?;
    for question in &questions[3..] {
        let error = engines.ask(question).expect_err("another engine").to_string();
        assert!(error.contains("the engine is `Fish 17`, but the cache `"), "{error}");
        assert!(error.ends_with("has answers of `Fish 16` for it; use another cache directory"), "{error}");
    }
    fake.nothing_is_left()
}

#[test]
fn chess960_is_asked_if_the_engine_plays_it() -> Outcome {
    let question = |fen: &str| Ok::<_, Box<dyn std::error::Error>>(Question::new(position(fen)?, Limit::Nodes(9)));
    let chess960 = question("1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w KQkq - 0 1")?;
    let standard = question("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")?;
    let answer = "echo info score cp 1; case $position in *1R2*) echo bestmove e1b1 ;; *) echo bestmove e1c1 ;; esac";
    let fake = Fake::new(Script { go: answer, ..USUAL })?;
    let engines = Engines::new(fake.settings())?;
    for question in [&standard, &chess960, &chess960, &standard] {
        let best = engines.ask(question)?.best_move.ok_or("a move")?;
        assert!(best.is_castle(), "{best:?}");
    }
    let log = fake.log(fake.started()[0])?;
    let values: Vec<&str> = log.iter().filter_map(|line| line.strip_prefix("setoption name UCI_Chess960 value ")).collect();
    assert_eq!(values, ["false", "true", "false"]);
    drop(engines);

    let cache = tempfile::tempdir()?;
    let fake = Fake::new(Script { go: answer, uci: "echo id name Old; echo uciok", ..USUAL })?;
    for started in [1, 1] {
        let engines = Engines::new(fake.cached(cache.path()))?;
        for _ in 0..5 {
            engines.ask(&standard)?;
            assert_eq!(engines.ask(&chess960).expect_err("no option").to_string(), "not asked: Old does not play Chess960");
        }
        assert_eq!(engines.counts().not_asked, 5);
        assert_eq!(fake.started().len(), started);
    }
    // The same if it is the first question, before anything is known of the engine.
    let engines = Engines::new(fake.settings())?;
    assert!(engines.ask(&chess960).is_err_and(|error| error.is_not_asked()));
    drop(engines);
    let log = fake.log(fake.started()[1])?;
    assert_eq!(log, ["uci", "isready", "quit"]);
    fake.nothing_is_left()
}

#[test]
fn engines_can_be_cancelled_while_threads_wait_for_them() -> Outcome {
    for script in [Script { go: "hang", ..USUAL }, Script { uci: "hang", ..USUAL }, Script { go: "exec yes", ..USUAL }] {
        let fake = Fake::new(script)?;
        let cache = tempfile::tempdir()?;
        let engines = Engines::new(EngineSettings { processes: 2, ..fake.cached(cache.path()) })?;
        let questions = questions();
        // Two threads wait for answers, one for a process, and one for the answer to the same
        // question.
        let asked = [&questions[0], &questions[1], &questions[2], &questions[0]];
        thread::scope(|scope| -> Outcome {
            let waiting: Vec<_> = asked.map(|question| scope.spawn(|| engines.ask(question))).into_iter().collect();
            until(|| fake.started().len() == 2 && (script.go == "exec yes" || fake.pids("hanging").len() == 2))?;
            engines.cancel();
            for thread in waiting {
                let answer = thread.join().expect("no panic");
                assert!(matches!(answer, Err(EngineError::Interrupted)), "{answer:?}");
            }
            Ok(())
        })?;
        fake.nothing_is_left()?;
        assert!(matches!(engines.ask(&questions[3]), Err(EngineError::Interrupted)));
        assert_eq!(fake.started().len(), 2, "no process is started after that");
        assert_eq!(engines.counts().failed, 0);
    }
    Ok(())
}

#[test]
fn engines_that_do_not_quit_are_killed_with_what_they_have_started() -> Outcome {
    let deaf = Script { quit: "hang", ..USUAL };
    let flooding = Script { quit: "exec yes", ..USUAL };
    let endless = Script { quit: "exec tr '\\0' x < /dev/zero", ..USUAL };
    let closing = Script { quit: "exec >&-; hang", ..USUAL };
    // A wrapper that starts the engine and waits for it.
    let wrapper = Script { uci: "sleep 1000 & hello", quit: "exit 0", ..USUAL };
    for script in [deaf, flooding, endless, closing, wrapper] {
        let fake = Fake::new(script)?;
        let engines = Engines::new(EngineSettings { processes: 2, ..fake.settings() })?;
        all_answers(&engines, &questions(), 4)?;
        drop(engines);
        fake.nothing_is_left()?;
        // The same if a thread panics.
        let panicked = thread::scope(|scope| {
            let thread = scope.spawn(|| {
                let engines = Engines::new(fake.settings()).expect("the script exists");
                engines.ask(&questions()[0]).expect("an answer");
                std::panic::resume_unwind(Box::new("on purpose"));
            });
            thread.join().is_err()
        });
        assert!(panicked);
        fake.nothing_is_left()?;
    }
    Ok(())
}

/// The variable that names the home of the engine that [`a_process_that_is_to_be_killed`] asks.
const HOME: &str = "CHESS_AUDIT_TEST_ENGINE";

/// Not a test: the process of the next test.
#[test]
fn a_process_that_is_to_be_killed() {
    let Some(home) = env::var_os(HOME).map(PathBuf::from) else { return };
    let arguments = [home.join("engine.sh"), home].map(|path| path.to_string_lossy().into_owned()).to_vec();
    let settings = EngineSettings { arguments, answer_timeout: Duration::MAX, ..EngineSettings::of("/bin/sh") };
    let asked = Engines::new(settings).expect("the script exists").ask(&questions()[0]);
    unreachable!("{asked:?}");
}

#[test]
fn engines_end_when_the_auditor_is_killed() -> Outcome {
    struct Auditor(Child);
    impl Drop for Auditor {
        fn drop(&mut self) {
            let _ = self.0.kill();
            let _ = self.0.wait();
        }
    }
    // It does not read its input any more, so that it does not notice.
    let fake = Fake::new(Script { go: "echo $$ >> \"$home/hanging\"; exec sleep 1000", ..USUAL })?;
    let mut auditor = Command::new(env::current_exe()?);
    auditor.args(["--exact", "faults::engine::a_process_that_is_to_be_killed"]).env(HOME, fake.home.path());
    let mut auditor = Auditor(auditor.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?);
    until(|| !fake.pids("hanging").is_empty())?;
    let pid = fake.started()[0];
    assert!(!members(pid).is_empty());
    auditor.0.kill()?;
    auditor.0.wait()?;
    until(|| members(pid).is_empty())
}

#[test]
fn engines_outlive_the_threads_that_ask_first() -> Outcome {
    let fake = Fake::new(USUAL)?;
    let engines = Engines::new(fake.settings())?;
    let questions = questions();
    for question in &questions[..5] {
        thread::scope(|scope| scope.spawn(|| engines.ask(question)).join().expect("no panic"))?;
    }
    assert_eq!(fake.started().len(), 1);
    Ok(())
}

/// The answer to a question. If its line ends before an announced mate, the engine is asked about
/// the position at its end, and so on.
fn with_whole_mate(engines: &Engines, question: &Question) -> Result<Answer, EngineError> {
    let mut answer = engines.ask(question)?;
    while answer.mate_line(&question.position) == MateLine::Short {
        let mut position = question.position.clone();
        answer.line.iter().for_each(|next| position.play_unchecked(*next));
        let rest = engines.ask(&Question::new(position, question.limit))?;
        if rest.line.is_empty() {
            break;
        }
        answer.line.extend(rest.line);
    }
    Ok(answer)
}

#[test]
fn stockfish_finds_mates() -> Outcome {
    let Some(settings) = stockfish() else { return Ok(()) };
    let engines = Engines::new(settings)?;
    assert_eq!(engines.name(), None);
    for (fen, moves) in [
        ("6k1/5ppp/8/8/8/1p6/8/R6K w - - 0 1", 1),
        ("2bqkbn1/2pppp2/np2N3/r3P1p1/p2N2B1/5Q2/PPPPKPP1/RNB2r2 w - - 0 1", 2),
        ("8/8/8/8/8/4k3/4q3/6K1 w - - 0 1", -2),
        ("r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1", 3),
    ] {
        let position = position(fen)?;
        let limit = Limit::Mate { moves: i32::unsigned_abs(moves), nodes: 1_000_000 };
        let question = Question::new(position.clone(), limit);
        let answer = with_whole_mate(&engines, &question)?;
        assert_eq!(answer.score, Score::Mate(moves), "{fen}: {answer:?}");
        assert_eq!(answer.mate_line(&position), MateLine::Shown(moves.unsigned_abs()), "{fen}: {answer:?}");
    }
    assert!(engines.name().is_some_and(|name| name.starts_with("Stockfish")), "{engines:?}");
    // Only some moves, and castling in Chess960.
    let start = Chess::default();
    let only = UciMove::from_ascii(b"a2a3")?.to_move(&start)?;
    let answer = engines.ask(&Question::about(start, vec![only], Limit::Nodes(1000)))?;
    assert_eq!(answer.best_move, Some(only));
    let chess960 = position("1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w KQkq - 0 1")?;
    let castling: Vec<_> = chess960.legal_moves().into_iter().filter(|it| it.is_castle()).collect();
    assert_eq!(castling.len(), 2);
    let answer = engines.ask(&Question::about(chess960, castling, Limit::Nodes(1000)))?;
    assert!(answer.best_move.is_some_and(|best| best.is_castle()), "{answer:?}");
    Ok(())
}

#[test]
fn stockfish_gives_the_same_answers_in_one_and_in_four_processes() -> Outcome {
    let Some(settings) = stockfish() else { return Ok(()) };
    let cache = tempfile::tempdir()?;
    let mut questions: Vec<Question> =
        positions().into_iter().map(|position| Question::new(position, Limit::Nodes(5000))).collect();
    let answers = all_answers(&Engines::new(settings.clone())?, &questions, 1)?;
    // In another order, by other processes.
    questions.reverse();
    let engines = Engines::new(EngineSettings { processes: 4, cache: Some(cache.path().to_owned()), ..settings.clone() })?;
    let mut others = all_answers(&engines, &questions, 4)?;
    others.reverse();
    assert_eq!(others, answers);
    drop(engines);
    let engines = Engines::new(EngineSettings { cache: Some(cache.path().to_owned()), ..settings })?;
    let mut cached = all_answers(&engines, &questions, 4)?;
    cached.reverse();
    assert_eq!(cached, answers);
    assert_eq!((engines.counts().answered, engines.counts().failed), (0, 0));
    Ok(())
}
