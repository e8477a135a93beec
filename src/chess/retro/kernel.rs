//! Searches proof kernels: sequences of captures that lead to the pawns on the board.
//!
//! A proof kernel (Österlund, Texel, `doc/proofgame.md`) keeps of a game only the captures that
//! change the pawns on the files, in their order. The state is, for each file, the order of the
//! pawns on it from the first rank to the eighth, without their ranks. Each file begins with a
//! white pawn below a black one. Pawns do not pass each other on a file, so the order changes only
//! by captures:
//! * A pawn captures a pawn on a neighbouring file and takes its place in the order. This includes
//!   en passant: no pawn is between the square that it arrives on and the captured pawn.
//! * A pawn captures a piece on a neighbouring file and arrives anywhere in the order.
//! * A piece captures a pawn.
//! * A pawn captures a piece on a last square to which no pawn can have advanced, and is promoted.
//!   No enemy pawn is ahead of it on its own file.
//!
//! Where a pawn can advance to the last rank, its promotion is not a move. The promoted pawn stays
//! in the order as if it were on the last rank, and everything that arrives later does so behind
//! it. So at the end, the white pawns at the top of the order beyond those on the board are
//! promoted ones, and so are the black ones at the bottom. Where promoted pieces can have come from
//! is as in [`PromotionFiles`](super::promotion::PromotionFiles), and so is what unmoved pieces
//! prevent. Unmoved pawns never leave their place, and nothing arrives behind them.
//!
//! The limits are those of the game. A side makes at most as many captures as the other has lost
//! pieces, without those that no capture of this kind can have taken. A side has lost at most as
//! many pawns as pawns as are neither on the board nor promoted. All other captures, of pieces by
//! pieces, take what is left, and every piece is available at any time. A pawn captured after its
//! promotion counts as promoted.
//!
//! Every game gives such a sequence, so without one the position is unreachable. The argument holds
//! for any starting position of Chess960 and double Chess960; only the captures at home, and
//! bishops that have not moved, are known from the starting position.
//!
//! # The search
//!
//! Depth first, with the most promising capture first. A state is given up if the captures that
//! are left cannot be enough:
//! * The number of pawns to insert into a file and to remove from it is an edit distance. A capture
//!   of a piece by a pawn removes one pawn and inserts one, a capture of a pawn by a pawn removes
//!   two and inserts one, and a capture by a piece removes one.
//! * Each pawn that is missing on a file has to arrive by a capture, and each pawn that is missing
//!   on one side of a line between files has to cross it.
//!
//! States from which the search has failed are kept exactly, in a table of constant size.
//!
//! If pieces were promoted, the [ranks](super::ranks) of the captures are examined where the search
//! reaches the goal, and it goes on if they are impossible. It then tells neighbours of one colour
//! apart. What failed only because of ranks is not kept, because they depend on the way.

use std::cell::RefCell;

use super::{
    pawn_captures::Reachability,
    pawn_order::{
        BEGIN, BLACK, Capture, Goal, How, MAX_ON_FILE, Order, WHITE, count, has_passed, insert, len, pawn, remove, replace,
    },
    promoted_kinds::ByKind,
    ranks,
    side_limits::SideLimits,
    side_view::SideView,
};

/// How much is searched before a question is left open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effort {
    /// At most about a millisecond.
    #[default]
    Quick,
    /// A thousand times as much: seconds.
    Deep,
}

impl Effort {
    /// The effort that the user wants.
    pub const fn of(deep: bool) -> Effort {
        if deep { Effort::Deep } else { Effort::Quick }
    }

    /// Maximum number of states that are looked at.
    const fn max_nodes(self) -> u32 {
        match self {
            Effort::Quick => 20_000,
            Effort::Deep => 20_000_000,
        }
    }

    /// Number of failed states that are kept, of 16 bytes each. A power of two.
    const fn table_states(self) -> usize {
        match self {
            Effort::Quick => 1 << 16,
            Effort::Deep => 1 << 19,
        }
    }
}

/// For how many states the examination of ranks counts.
const RANKS_NODES: u32 = 64;

/// A state of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct State {
    files: [Order; 8],
    captures: [u8; 2],
    losses: [u8; 2],
    /// For each side and file, two bits with the number of promotions by capture.
    promoted: [u16; 2],
}

impl State {
    fn key(&self) -> (u64, u64) {
        let limits = [self.captures[0], self.captures[1], self.losses[0], self.losses[1]];
        let promoted = u64::from(self.promoted[0]) | u64::from(self.promoted[1]) << 16;
        let limits = limits.into_iter().fold(0, |all, limit| all << 4 | u64::from(limit & 15));
        (u64::from_le_bytes(self.files), promoted | limits << 32)
    }
}

/// A capture, with the state after it.
#[derive(Clone, Copy, Debug)]
struct Child {
    state: State,
    edits: u32,
    capture: Capture,
}

/// A pawn that leaves its file by a capture.
#[derive(Clone, Copy, Debug)]
struct Departure {
    color: u8,
    from: (u8, u8),
    /// Whether no enemy pawn was ahead of it.
    has_passed: bool,
    /// The state without it.
    left: State,
    edits: u32,
}

/// Failed states, exactly. The table is made once for each thread, in at most 8 MiB.
struct Table {
    /// A power of two.
    states: Vec<(u64, u64)>,
    /// Marks the states of the current search in the highest bits of the second part.
    search: u64,
}

impl Table {
    const fn new() -> Table {
        Table { states: Vec::new(), search: 0 }
    }

    /// Begins a search with room for so many states.
    fn begin(&mut self, states: usize) {
        self.search += 1;
        if self.states.len() < states || self.search >= 1 << 16 {
            self.states.clear();
            self.states.resize(states, (0, 0));
            self.search = 1;
        }
    }

    fn slot(&self, key: (u64, u64)) -> usize {
        let hash = (key.0 ^ key.1.rotate_left(29)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (hash ^ hash >> 29) as usize & (self.states.len() - 1)
    }

    fn contains(&self, key: (u64, u64)) -> bool {
        self.states[self.slot(key)] == (key.0, key.1 | self.search << 48)
    }

    fn insert(&mut self, key: (u64, u64)) {
        let slot = self.slot(key);
        self.states[slot] = (key.0, key.1 | self.search << 48);
    }
}

thread_local! {
    static TABLE: RefCell<Table> = const { RefCell::new(Table::new()) };
}

/// The question whether captures lead to these pawns.
#[derive(Clone, Debug)]
pub(super) struct Kernel {
    pub goal: Goal,
}

impl Kernel {
    /// The question for the views of White and Black, and their limits. `None` if there are too
    /// many pawns on a file.
    pub fn new(views: [&SideView; 2], sides: [SideLimits; 2]) -> Option<Kernel> {
        Goal::new(views, sides).map(|goal| Kernel { goal })
    }

    /// Whether captures lead to the pawns, and can have happened on the board.
    pub fn reachability(&self, effort: Effort) -> Reachability {
        let has_promoted = self.goal.sides.iter().any(|side| side.promotion.promoted != ByKind::default());
        self.search(effort.max_nodes(), effort.table_states(), has_promoted)
    }

    /// The same without regard to the ranks of captures.
    pub fn reachability_by_order(&self, effort: Effort) -> Reachability {
        self.search(effort.max_nodes(), effort.table_states(), false)
    }

    /// The same with at most so many states that are looked at, and that are kept. `has_ranks` is
    /// whether ranks count.
    fn search(&self, max_nodes: u32, table_states: usize, has_ranks: bool) -> Reachability {
        TABLE.with_borrow_mut(|table| {
            table.begin(table_states);
            let mut search = Search::new(&self.goal, table, max_nodes);
            let limits = |limit: fn(&SideLimits) -> u8| [limit(&self.goal.sides[0]), limit(&self.goal.sides[1])];
            let begin = State {
                files: [BEGIN; 8],
                captures: limits(|side| side.captures.min(15)),
                losses: limits(|side| side.losses.min(8)),
                promoted: [0; 2],
            };
            let edits = (0..8).map(|file| search.edits(file, BEGIN)).sum();
            let is_hopeless = edits > Search::max_edits(&begin) || !search.arrivals_are_possible(&begin, &[WHITE, BLACK]);
            let mut succeeds = !is_hopeless && search.succeeds_from(begin, edits);
            if succeeds && has_ranks {
                search.tells_apart = true;
                search.captures.clear();
                succeeds = search.succeeds_from(begin, edits);
            }
            match (succeeds, search.is_open) {
                (true, _) => Reachability::Explained,
                (false, true) => Reachability::Open,
                (false, false) => Reachability::Impossible,
            }
        })
    }
}

struct Search<'a> {
    goal: &'a Goal,
    table: &'a mut Table,
    /// Edit distances to the goal, by file and order, as far as they are known.
    distances: [[u8; 256]; 8],
    nodes_left: u32,
    /// Whether something was not searched.
    is_open: bool,
    /// Whether neighbours of one colour are told apart, and ranks count.
    tells_apart: bool,
    /// The captures that lead to the current state.
    captures: Vec<Capture>,
    /// How many ways to the goal there were that ranks make impossible.
    rejected: u32,
    /// For each side and file, how many pawns there are on the board, and on this file and those to
    /// the left.
    goal_counts: [[i8; 8]; 2],
}

impl<'a> Search<'a> {
    fn new(goal: &'a Goal, table: &'a mut Table, max_nodes: u32) -> Search<'a> {
        let goal_counts = [WHITE, BLACK].map(|color| goal.orders.map(|order| count(order, color) as i8));
        Search {
            goal,
            table,
            distances: [[u8::MAX; 256]; 8],
            nodes_left: max_nodes,
            is_open: false,
            tells_apart: false,
            captures: Vec::new(),
            rejected: 0,
            goal_counts,
        }
    }

    fn may_advance(&self, color: u8, file: usize) -> bool {
        self.goal.sides[usize::from(color)].promotion.advance >> file & 1 == 1
    }

    /// Minimum number of pawns to insert into `order` on `file` and to remove from it until it is
    /// the goal, with promoted pawns before and after it.
    fn edits(&mut self, file: usize, order: Order) -> u32 {
        let known = self.distances[file][usize::from(order)];
        if known != u8::MAX {
            return u32::from(known);
        }
        let distance = self.edit_distance(file, order);
        self.distances[file][usize::from(order)] = distance as u8;
        distance
    }

    fn edit_distance(&self, file: usize, order: Order) -> u32 {
        let goal = self.goal.orders[file];
        let (white, black) = (self.may_advance(WHITE, file), self.may_advance(BLACK, file));
        let stages = len(goal) as usize;
        // Before the goal, then with each number of pawns of the goal that are done.
        let mut before = 0;
        let mut done = [0u32; MAX_ON_FILE as usize + 1];
        for (stage, cost) in done.iter_mut().enumerate() {
            *cost = stage as u32;
        }
        for index in 0..len(order) {
            let color = pawn(order, index);
            let mut diagonal = done[0];
            for stage in 0..=stages {
                let is_promoted = stage == stages && color == WHITE && white;
                let mut cost = done[stage] + u32::from(!is_promoted);
                if stage > 0 {
                    if pawn(goal, stage as u32 - 1) == color {
                        cost = cost.min(diagonal);
                    }
                    cost = cost.min(done[stage - 1] + 1);
                } else {
                    before += u32::from(!(color == BLACK && black));
                    cost = cost.min(before);
                }
                diagonal = done[stage];
                done[stage] = cost;
            }
        }
        done[stages]
    }

    /// Whether captures lead from here to the goal. `false` also if it was not searched.
    fn succeeds_from(&mut self, state: State, edits: u32) -> bool {
        if edits == 0 && self.is_goal(&state) {
            if !self.tells_apart || ranks::are_possible(self.goal, &self.captures) {
                return true;
            }
            self.rejected += 1;
            self.nodes_left = self.nodes_left.saturating_sub(RANKS_NODES);
        }
        let key = state.key();
        if self.table.contains(key) {
            return false;
        }
        if self.nodes_left == 0 {
            self.is_open = true;
            return false;
        }
        let rejected = self.rejected;
        let mut children: Vec<Child> = Vec::new();
        self.each_child(&state, edits, &mut children);
        children.sort_by_key(|child| child.edits);
        for child in children {
            self.captures.push(child.capture);
            let succeeds = self.succeeds_from(child.state, child.edits);
            self.captures.pop();
            if succeeds {
                return true;
            }
            if self.nodes_left == 0 {
                self.is_open = true;
                return false;
            }
        }
        // Ranks depend on the way to this state.
        if !self.is_open && self.rejected == rejected {
            self.table.insert(key);
        }
        false
    }

    /// Whether the promoted pieces can be those that were promoted. The pawns are those of the
    /// goal, apart from promoted ones.
    fn is_goal(&self, state: &State) -> bool {
        [WHITE, BLACK].into_iter().all(|color| {
            let side = usize::from(color);
            let promotions = std::array::from_fn(|file| {
                let by_advance = count(state.files[file], color) as i8 - self.goal_counts[side][file];
                by_advance as u8 + (state.promoted[side] >> (2 * file) & 3) as u8
            });
            self.goal.sides[side].promotion.suffice(promotions)
        })
    }

    /// How many pawns the captures that are left can insert and remove.
    fn max_edits(state: &State) -> u32 {
        let captures = u32::from(state.captures[0] + state.captures[1]);
        let losses = u32::from(state.losses[0] + state.losses[1]);
        2 * captures + captures.min(losses)
    }

    /// Whether each of these sides has enough captures for the pawns that are missing on files.
    fn arrivals_are_possible(&self, state: &State, colors: &[u8]) -> bool {
        colors.iter().all(|&color| {
            let side = usize::from(color);
            let surplus: [i8; 8] =
                std::array::from_fn(|file| count(state.files[file], color) as i8 - self.goal_counts[side][file]);
            let all: i8 = surplus.iter().sum();
            let (mut missing, mut crossing, mut left) = (0, 0, 0);
            for here in surplus {
                missing += (-here).max(0);
                left += here;
                crossing += (-left).max(left - all).max(0);
            }
            all >= 0 && missing.max(crossing) <= state.captures[side] as i8
        })
    }

    /// The places on `file` between its unmoved pawns: the first one, and the end.
    fn movable(&self, file: usize, order: Order) -> (u32, u32) {
        let is_unmoved = |color: u8| self.goal.sides[usize::from(color)].unmoved_pawns >> file & 1 == 1;
        (u32::from(is_unmoved(WHITE)), len(order) - u32::from(is_unmoved(BLACK)))
    }

    fn each_child(&mut self, from: &State, edits: u32, children: &mut Vec<Child>) {
        for file in 0..8 {
            let order = from.files[file];
            let (first, end) = self.movable(file, order);
            for index in first..end {
                let color = pawn(order, index);
                // Removing one of several neighbours of one colour gives the same order.
                if !self.tells_apart && index > first && pawn(order, index - 1) == color {
                    continue;
                }
                let mut left = *from;
                left.files[file] = remove(order, index);
                let edits = edits - self.edits(file, order) + self.edits(file, left.files[file]);
                let from = (file as u8, index as u8);
                let (own, other) = (usize::from(color), usize::from(color ^ 1));
                if left.captures[other] > 0 && left.losses[own] > 0 {
                    let mut state = left;
                    state.captures[other] -= 1;
                    state.losses[own] -= 1;
                    self.offer(Child { state, edits, capture: Capture { from, how: How::Captured } }, &[WHITE, BLACK], children);
                }
                if left.captures[own] > 0 {
                    left.captures[own] -= 1;
                    let departure = Departure { color, from, has_passed: has_passed(order, index), left, edits };
                    if file > 0 {
                        self.captures_on(file - 1, &departure, children);
                    }
                    if file < 7 {
                        self.captures_on(file + 1, &departure, children);
                    }
                }
            }
        }
    }

    /// Captures on `file` by a pawn that has left its own file.
    fn captures_on(&mut self, file: usize, pawns: &Departure, children: &mut Vec<Child>) {
        let Departure { color, from, left, .. } = *pawns;
        // An arrival saves at most two edits.
        if pawns.edits.saturating_sub(2) > Search::max_edits(&left) {
            return;
        }
        let order = left.files[file];
        let (own, other) = (usize::from(color), usize::from(color ^ 1));
        let (first, end) = self.movable(file, order);
        let edits = pawns.edits - self.edits(file, order);
        let capture = |how| Capture { from, how };
        if left.losses[other] > 0 {
            for index in (first..end).filter(|index| pawn(order, *index) != color) {
                let mut state = left;
                state.files[file] = replace(order, index, color);
                state.losses[other] -= 1;
                let edits = edits + self.edits(file, state.files[file]);
                self.offer(
                    Child { state, edits, capture: capture(How::TakesPawn((file as u8, index as u8))) },
                    &[WHITE, BLACK],
                    children,
                );
            }
        }
        if len(order) < MAX_ON_FILE {
            for index in first..=end {
                // Next to a pawn of its colour, it does not matter on which side.
                if !self.tells_apart && index > first && pawn(order, index - 1) == color {
                    continue;
                }
                let mut state = left;
                state.files[file] = insert(order, index, color);
                let edits = edits + self.edits(file, state.files[file]);
                self.offer(
                    Child { state, edits, capture: capture(How::TakesPiece((file as u8, index as u8))) },
                    &[color],
                    children,
                );
            }
        } else {
            self.is_open = true;
        }
        let promotion = &self.goal.sides[own].promotion;
        let arrivals = if usize::from(from.0) > file { promotion.from_right } else { promotion.from_left };
        if pawns.has_passed && arrivals >> file & 1 == 1 && !self.may_advance(color, file) {
            let mut state = left;
            let shift = 2 * file;
            if state.promoted[own] >> shift & 3 == 3 {
                self.is_open = true;
            } else {
                state.promoted[own] += 1 << shift;
                let capture = capture(How::IsPromoted(file as u8));
                self.offer(Child { state, edits: pawns.edits, capture }, &[color], children);
            }
        }
    }

    /// Adds a capture if those that are left can be enough. It has changed the pawns or captures of
    /// the sides `changed`.
    fn offer(&mut self, child: Child, changed: &[u8], children: &mut Vec<Child>) {
        if child.edits <= Search::max_edits(&child.state) && self.arrivals_are_possible(&child.state, changed) {
            self.nodes_left = self.nodes_left.saturating_sub(1);
            children.push(child);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, VecDeque};

    use shakmaty::{Bitboard, Board};

    use super::{
        super::{STANDARD_START, Structure, promotion::PromotionFiles},
        *,
    };

    /// Numbers that are always the same.
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, limit: u32) -> u32 {
            self.0 = self.0.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
            (self.0 >> 33) as u32 % limit
        }
    }

    fn kernel(goal: [Order; 8], captures: [u8; 2], losses: [u8; 2], advance: u8) -> Kernel {
        let side = |side: usize| SideLimits {
            captures: captures[side],
            losses: losses[side],
            promotion: PromotionFiles { advance, ..PromotionFiles::default() },
            ..SideLimits::default()
        };
        Kernel { goal: Goal { orders: goal, ranks: [[4; 7]; 8], sides: [side(0), side(1)] } }
    }

    fn order_of(pawns: &str) -> Order {
        pawns.bytes().enumerate().fold(1, |order, (index, pawn)| insert(order, index as u32, u8::from(pawn == b'b')))
    }

    #[test]
    fn orders_change_as_lists_do() {
        assert_eq!((order_of("wb"), len(order_of("wbb")), len(order_of(""))), (BEGIN, 3, 0));
        assert_eq!(insert(order_of("wb"), 1, WHITE), order_of("wwb"));
        assert_eq!(insert(order_of("wb"), 2, BLACK), order_of("wbb"));
        assert_eq!(remove(order_of("wbw"), 1), order_of("ww"));
        assert_eq!(replace(order_of("wbw"), 1, WHITE), order_of("www"));
        assert_eq!((count(order_of("wbw"), WHITE), count(order_of("wbw"), BLACK)), (2, 1));
        let passed: Vec<bool> = (0..4).map(|index| has_passed(order_of("bwbw"), index)).collect();
        assert_eq!(passed, [true, false, false, true]);
    }

    /// Distances from every order to the goals, by trying all insertions and removals.
    #[test]
    fn edit_distances_are_the_shortest() {
        for (goal, advance) in [("", 1), ("", 0), ("w", 1), ("bw", 1), ("wb", 0), ("wbw", 1), ("bwb", 0)] {
            let kernel = kernel([order_of(goal); 8], [0; 2], [0; 2], advance);
            let mut table = Table::new();
            let search = Search::new(&kernel.goal, &mut table, 0);
            // All that promotions turn into the goal.
            let mut shortest = BTreeMap::new();
            let mut queue = VecDeque::new();
            let most = if advance == 0 { 0 } else { MAX_ON_FILE };
            for blacks in 0..=most {
                for whites in 0..=most {
                    let text = format!("{}{goal}{}", "b".repeat(blacks as usize), "w".repeat(whites as usize));
                    if text.len() as u32 <= MAX_ON_FILE && shortest.insert(order_of(&text), 0).is_none() {
                        queue.push_back(order_of(&text));
                    }
                }
            }
            while let Some(order) = queue.pop_front() {
                let next = shortest[&order] + 1;
                let removed = (0..len(order)).map(|index| remove(order, index));
                let inserted = (0..=len(order)).flat_map(|index| [WHITE, BLACK].map(|color| insert(order, index, color)));
                let inserted: Vec<Order> = if len(order) < MAX_ON_FILE { inserted.collect() } else { Vec::new() };
                for neighbour in removed.chain(inserted) {
                    if let std::collections::btree_map::Entry::Vacant(entry) = shortest.entry(neighbour) {
                        entry.insert(next);
                        queue.push_back(neighbour);
                    }
                }
            }
            assert_eq!(shortest.len(), 255, "every order has a distance");
            for (order, distance) in shortest {
                // The way may lead over more pawns than there can be on a file.
                assert!(search.edit_distance(0, order) <= distance, "{order:b} to {goal}");
                if len(order) < 5 {
                    assert_eq!(search.edit_distance(0, order), distance, "{order:b} to {goal}");
                }
            }
        }
    }

    /// Captures at random: the search has to find a way to where they lead, within their limits.
    #[test]
    fn what_captures_lead_to_is_explained() {
        let mut numbers = Numbers(1);
        let (mut captures_made, mut promoted) = (0, 0);
        for round in 0..1500 {
            let mut files = [BEGIN; 8];
            let (mut captures, mut losses) = ([0; 2], [0; 2]);
            for _ in 0..1 + numbers.below(5) {
                let file = numbers.below(8) as usize;
                if len(files[file]) == 0 {
                    continue;
                }
                let index = numbers.below(len(files[file]));
                let color = pawn(files[file], index);
                let to = (file + 7 + 2 * numbers.below(2) as usize) % 8;
                let (own, other) = (usize::from(color), usize::from(color ^ 1));
                let there = files[to];
                let at = numbers.below(len(there) + 1);
                if numbers.below(4) == 0 {
                    losses[own] += 1;
                    captures[other] += 1;
                } else if to.abs_diff(file) != 1 || len(there) == MAX_ON_FILE {
                    continue;
                } else if at < len(there) && pawn(there, at) != color {
                    files[to] = replace(there, at, color);
                    losses[other] += 1;
                    captures[own] += 1;
                } else {
                    files[to] = insert(there, at, color);
                    captures[own] += 1;
                }
                files[file] = remove(files[file], index);
                captures_made += 1;
            }
            let mut goal = files;
            for order in &mut goal {
                while len(*order) > 0 && pawn(*order, len(*order) - 1) == WHITE && numbers.below(2) == 0 {
                    *order = remove(*order, len(*order) - 1);
                    promoted += 1;
                }
                while len(*order) > 0 && pawn(*order, 0) == BLACK && numbers.below(2) == 0 {
                    *order = remove(*order, 0);
                    promoted += 1;
                }
            }
            let reachability = kernel(goal, captures, losses, 0xFF).search(1_000_000, 1 << 16, false);
            assert_eq!(reachability, Reachability::Explained, "round {round}: {files:?} {captures:?} {losses:?}");
        }
        assert!(captures_made > 2500 && promoted > 1500, "{captures_made} {promoted}");
    }

    #[test]
    fn few_nodes_leave_it_open() {
        let far = kernel(std::array::from_fn(|file| order_of(if file == 0 { "bw" } else { "wb" })), [15; 2], [0; 2], 0);
        assert_eq!(far.search(0, 1, false), Reachability::Open);
        let begin = kernel([BEGIN; 8], [0; 2], [0; 2], 0);
        assert_eq!(begin.search(0, 1, false), Reachability::Explained);
        let one = kernel(std::array::from_fn(|file| order_of(if file == 0 { "wwb" } else { "wb" })), [15; 2], [0; 2], 0);
        assert_eq!(one.reachability_by_order(Effort::Quick), Reachability::Impossible);
        // What does not fit into the table is searched again.
        assert_eq!(one.search(20_000, 1, false), Reachability::Impossible);
    }

    /// The order matters: without it, the captures would be enough.
    #[test]
    fn some_positions_need_an_order_that_there_is_not() {
        let structure = |placement: &str| {
            let board = Board::from_ascii_board_fen(placement.as_bytes()).expect("it is a board");
            Structure::new(&board, Bitboard::EMPTY, &STANDARD_START)
        };
        for (placement, reachability) in [
            // The white e-pawn was captured on c6, where it cannot have gone.
            ("rnbqkbnr/ppp1p1pp/2p5/8/3PN3/8/PPP2PPP/R1BQKBNR", Reachability::Impossible),
            // It was captured on e6.
            ("rnbqkbnr/ppp1pppp/4p3/8/3PN3/8/PPP2PPP/R1BQKBNR", Reachability::Explained),
        ] {
            assert_eq!(structure(placement).reachability(), reachability, "{placement}");
            assert!(!structure(placement).is_impossible(), "{placement}");
        }
    }
}
