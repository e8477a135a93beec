"use strict";
(async () => {
  const byId = (id) => document.getElementById(id);
  const [table, form, status, data] = ["table", "filters", "status", "data"].map(byId);
  const severities = ["info", "warning", "error"];
  const number = (count) => count.toLocaleString("en");
  const quantity = (count, one, many) => `${number(count)} ${count === 1 ? one : many}`;
  const findings = (count) => quantity(count, "finding", "findings");

  const element = (name, attributes, ...content) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes ?? {})) made.setAttribute(key, value);
    made.append(...content);
    return made;
  };

  // Exports: CSV files, whose cells spreadsheets do not run as formulas (as in `csv_cell.rs`).
  const isFormula = (text) => {
    if (!/^[=+\-@'\s\uff00-\uffff]/.test(text)) return false;
    const rest = text.replace(/^'+/, "");
    if (/^[\t\r\n]/.test(rest)) return true;
    const start = rest.trimStart();
    return /^[=@＝＠＋－]/.test(start) || (/^[+-]/.test(start) && !/^[-+/:= ]*$/.test(start) && !/^[+-]\d*(\.\d+)?$/.test(start));
  };
  const cell = (text) => {
    const safe = isFormula(text) ? "'" + text : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  const save = (name, columns, rows) => {
    const lines = rows.map((row) => columns.map((column) => cell(row[column])).join(","));
    const url = URL.createObjectURL(new Blob([[columns.join(","), ...lines, ""].join("\n")], { type: "text/csv" }));
    element("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  };

  // Spellings of names: those that are checked are exported with a decision.
  const names = [...document.querySelectorAll("#names tbody tr")];
  const box = (row) => row.querySelector("input");
  const count = () => {
    const chosen = names.filter((row) => box(row).checked).length;
    byId("names-chosen").textContent = `${number(chosen)} of ${number(names.length)} chosen`;
    byId("export-names").disabled = !chosen;
  };
  if (names.length) {
    for (const row of names) box(row).disabled = false;
    byId("names").addEventListener("change", count);
    byId("export-names").addEventListener("click", () => save("names.csv", ["name", "main", "decision"],
      names.map((row) => ({ ...row.dataset, decision: box(row).checked ? "yes" : "" }))));
    count();
  }
  if (!table) return;

  // The findings, which `data.rs` writes: for each a line of fields, and its card as HTML, in which
  // text from inputs is escaped. Cards stay bytes until they are shown.
  const decoder = new TextDecoder();
  const fromBase64 = (base64) => {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
    const text = atob(base64);
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(i);
    return bytes;
  };
  // Written and read directly: by way of a `Blob` and a `Response`, it takes half as long again.
  const inflated = async (packed) => {
    const { readable, writable } = new DecompressionStream("deflate-raw");
    const [reader, writer, parts] = [readable.getReader(), writable.getWriter(), []];
    const read = async () => { for (let part; !(part = await reader.read()).done;) parts.push(part.value); };
    await Promise.all([read(), writer.write(packed), writer.close()]);
    const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      bytes.set(part, at);
      at += part.length;
    }
    return bytes;
  };
  const unpacked = async (base64) => {
    const bytes = await inflated(fromBase64(base64));
    const rows = [];
    for (let at = 0; at < bytes.length;) {
      const end = bytes.indexOf(10, at);
      const [index, size, place, state, repair, key, pair, ...searched] = decoder.decode(bytes.subarray(at, end)).split("\t");
      const [severity, rule, input, label, message] = searched;
      at = end + 1 + Number(size);
      const card = bytes.subarray(end + 1, at);
      rows.push({ index: Number(index), place, known: state === "known", isNew: state === "new", repair, key, pair, severity, rule, input, label, message, searched, card });
    }
    return rows.sort((one, other) => one.index - other.index);
  };
  let rows;
  try {
    rows = await unpacked(data.textContent);
  } catch {
    status.textContent += ". This browser cannot read the compressed findings, so only the first ones are shown.";
    return;
  }
  const report = data.textContent.slice(-40) + data.textContent.length;
  data.textContent = "";
  const total = Number(data.dataset.total);
  const prefix = data.dataset.prefix;
  const place = (row) => `${row.input}:${row.place}`;

  // The rules, each with its findings: new ones first.
  const bodies = [...table.tBodies];
  const nameOf = (body) => body.querySelector(".name").textContent;
  const groups = new Map(bodies.map((body) => [body.dataset.code + body.dataset.severity, { body, rows: [], matches: [], shown: 0 }]));
  for (const rank of [0, 1, 2]) for (const row of rows) if (rank === (row.known ? 2 : row.isNew ? 0 : 1)) groups.get(row.rule + row.severity)?.rows.push(row);
  const groupOf = (body) => groups.get(body.dataset.code + body.dataset.severity);
  const ruleName = new Map(bodies.map((body) => [body.dataset.code, nameOf(body)]));

  // The card of a finding, with a link to it.
  const template = element("template");
  const card = (row) => {
    template.innerHTML = decoder.decode(row.card);
    const made = template.content.firstChild;
    made.tabIndex = -1;
    const text = made.lastElementChild;
    const links = text.querySelector(":scope > .links") ?? text.appendChild(element("p", { class: "links" }));
    text.querySelector(".location").prepend(`${row.rule} ${ruleName.get(row.rule)} · `);
    if (row.pair) text.querySelector(".other").after(element("p", { class: "choices" }, ...PAIR.map((choice) => {
      const button = element("button", { type: "button" }, CHOICES[choice]);
      button.addEventListener("click", () => { show(row); decide(choice, ""); });
      return button;
    })));
    links.prepend(element("a", { href: address({ ...state(), open: idOf(row), at: place(row) }) }, "Link to this finding"), " ");
    return made;
  };
  const CHOICES = { accept: "Accepted", repair: "Repair taken", left: "Keep left", right: "Keep right", both: "Keep both", later: "Later" };
  const PAIR = ["left", "right", "both"];
  const mark = (row) => {
    const decision = decisions[row.key];
    const shown = cardOf(row);
    shown.querySelector(".decision")?.remove();
    if (!decision) return;
    const reason = decision.reason ? ": " + decision.reason : "";
    shown.querySelector(".text").append(element("p", { class: "decision " + decision.choice }, CHOICES[decision.choice] + reason));
  };
  const idOf = (row) => groups.get(row.rule + row.severity).body.id;

  // The address has the filters, the open rule and the finding: `#MOV01&q=Adams`.
  const FILTERS = ["q", "severity", "family", "input", "new"];
  let [open, at] = ["", ""];
  const state = () => ({ ...Object.fromEntries(new FormData(form)), open, at });
  const address = (of) => "#" + [of.open, ...[...FILTERS, "at"].map((key) => of[key] && `${key}=${encodeURIComponent(of[key])}`)]
    .filter(Boolean).join("&");
  const remember = (isNew) => {
    if (address(state()) !== (location.hash || "#")) history[isNew ? "pushState" : "replaceState"](null, "", address(state()));
  };

  // Show the findings of open rules, some at a time.
  const AT_ONCE = 50;
  const cards = new WeakMap();
  const cardOf = (row) => cards.get(row) ?? cards.set(row, card(row)).get(row);
  const render = (group, count) => {
    group.shown = Math.min(count, group.matches.length);
    const rows = group.matches.slice(0, group.shown);
    rows.forEach(mark);
    group.body.querySelector(".findings").replaceChildren(...rows.map((row) => element("li", null, cardOf(row))));
    const rest = group.matches.length - group.shown;
    if (!rest) return;
    const more = element("button", { type: "button" }, `Show ${number(Math.min(rest, AT_ONCE))} more of ${number(rest)}`);
    more.addEventListener("click", () => render(group, group.shown + AT_ONCE));
    group.body.querySelector(".findings").append(element("li", { class: "more" }, more));
  };
  const isOpen = (body) => body.classList.contains("open");
  const setOpen = (body, opens) => {
    body.classList.toggle("open", opens);
    body.querySelector("details").open = opens;
    body.querySelector(".name button").setAttribute("aria-expanded", opens);
    if (opens) render(groupOf(body), AT_ONCE);
  };
  const show = (row) => {
    showTab(false);
    const group = groups.get(row.rule + row.severity);
    if (!isOpen(group.body)) setOpen(group.body, true);
    const index = group.matches.indexOf(row);
    if (index >= group.shown) render(group, index + AT_ONCE);
    const shown = cardOf(row);
    current = row;
    document.querySelector(".finding.current")?.classList.remove("current");
    shown.classList.add("current");
    shown.scrollIntoView({ block: "nearest" });
    shown.focus({ preventScroll: true });
  };

  // Filter.
  const textOf = (row) => (row.text ??= [ruleName.get(row.rule), ...row.searched].join("\n").toLowerCase());
  const inputs = new Set(rows.map((row) => row.input));
  const inSample = rows.length < total ? ` in ${number(rows.length)} of ${findings(total)}; the others are in the CSV files` : "";
  const filter = () => {
    const { q, severity, family, input, new: isNew } = Object.fromEntries(new FormData(form));
    const text = (q ?? "").trim().toLowerCase();
    const words = text.split(/\s+/);
    const exact = [input, prefix + input].find((name) => inputs.has(name));
    const part = (input ?? "").toLowerCase();
    const isIn = (row) => (exact ? row.input === exact : row.input.toLowerCase().includes(part));
    const matches = (row) => (!isNew || row.isNew) && (!part || isIn(row)) && (!text || words.every((word) => textOf(row).includes(word)));
    const isFiltered = text || severity || family || part || isNew;
    let count = 0;
    for (const group of groups.values()) {
      const { body } = group;
      const fits = (!severity || body.dataset.severity === severity) && (!family || body.dataset.family === family);
      group.matches = fits ? group.rows.filter(matches) : [];
      count += group.matches.length;
      body.hidden = isFiltered ? !group.matches.length : false;
      const all = Number(body.dataset.findings);
      const cell = body.querySelector(".rule td.number");
      cell.textContent = isFiltered && group.matches.length < all ? `${number(group.matches.length)} of ${number(all)}` : number(all);
      const there = group.rows.length < all ? ` ${number(group.rows.length)} of ${findings(all)} are in this page; the others are in the CSV files.` : "";
      body.querySelector(".intro").textContent = findings(group.matches.length) + "." + there;
      if (isOpen(body)) render(group, AT_ONCE);
    }
    const ofAll = isFiltered && !inSample ? ` of ${number(total)}` : "";
    status.textContent = isFiltered ? findings(count) + ofAll + inSample : `${findings(total)}; ${initialStatus}`
      + (inSample && `. This page has ${number(rows.length)} of them; the others are in the CSV files`);
    byId("no-matches").hidden = count > 0;
    progress();
  };
  const initialStatus = status.textContent;
  // The first search finds the texts ready.
  const prepare = (from) => {
    const end = Math.min(from + 500, rows.length);
    for (let i = from; i < end; i++) textOf(rows[i]);
    if (end < rows.length) later(() => prepare(end));
  };
  const later = globalThis.requestIdleCallback ?? ((task) => setTimeout(task, 10));

  // The queue: decisions about the findings that are shown. They stay in this browser.
  const STORE = "chess-audit " + report;
  let decisions = {};
  try {
    decisions = JSON.parse(localStorage.getItem(STORE)) ?? {};
  } catch {
    // The browser may not store anything. Decisions then last as long as the page.
  }
  const undone = [];
  let [current, lastReason] = [null, ""];
  const queue = () => [...table.tBodies].flatMap((body) => groupOf(body).matches).filter((row) => !row.known);
  const hasChoice = (row, choices) => choices.includes(decisions[row.key]?.choice);
  const isDecided = (row) => hasChoice(row, ["accept", "repair", ...PAIR]);
  const EXPORTS = { accept: ["accept", "both"], repair: ["repair"], keep: PAIR };
  const progress = () => {
    const all = queue();
    const done = all.filter(isDecided).length;
    byId("progress").textContent = `${number(done)} of ${number(all.length)} decided`;
    for (const [name, choices] of Object.entries(EXPORTS)) byId("export-" + name).disabled = !rows.some((row) => hasChoice(row, choices));
  };
  const store = (list) => {
    for (const [{ key }, decision] of list) {
      if (decision) decisions[key] = decision;
      else delete decisions[key];
    }
    try {
      localStorage.setItem(STORE, JSON.stringify(decisions));
    } catch {
      // As above.
    }
    const changed = new Set(list.map(([row]) => row.key));
    rows.filter((row) => changed.has(row.key) && cards.has(row)).forEach(mark);
    progress();
  };
  const step = (by) => {
    const all = queue();
    const index = all.indexOf(current);
    const next = all[index < 0 ? 0 : index + by];
    if (next) show(next);
  };
  let last = null;
  const decideAll = (all, decision) => {
    undone.push(all.map((row) => [row, decisions[row.key]]));
    store(all.map((row) => [row, decision]));
  };
  const decide = (choice, reason) => {
    last = { choice, reason };
    decideAll([current], last);
    step(1);
  };
  const choosePair = (choice) => current && (current.pair ? decide(choice, "") : say("This finding is not about two copies."));
  const likeLast = (all) => {
    if (!last) return say("Decide one finding first.");
    const isMeant = (row) => !isDecided(row) && (last.choice !== "repair" || row.repair) && (!PAIR.includes(last.choice) || row.pair);
    const meant = all.filter(isMeant);
    if (meant.length) decideAll(meant, last);
    say(`${findings(meant.length)} decided: ${CHOICES[last.choice].toLowerCase()}`);
  };
  const undo = () => {
    const before = undone.pop();
    if (!before) return;
    store(before);
    show(before[0][0]);
  };
  const reasonDialog = byId("reason");
  const reasonField = reasonDialog.querySelector("input");
  const accept = () => {
    reasonField.value = lastReason;
    reasonDialog.returnValue = "";
    reasonDialog.showModal();
    reasonField.select();
  };
  reasonDialog.addEventListener("close", () => {
    if (reasonDialog.returnValue !== "accept") return;
    lastReason = reasonField.value.trim();
    decide("accept", lastReason);
  });
  const say = (text) => { byId("said").textContent = text; };
  const commands = {
    j: () => step(1),
    k: () => step(-1),
    a: () => current && accept(),
    r: () => current && (current.repair ? decide("repair", "") : say("This finding has no repair.")),
    1: () => choosePair("left"),
    2: () => choosePair("right"),
    3: () => choosePair("both"),
    l: () => current && decide("later", ""),
    R: () => current && likeLast(queue().filter((row) => row.rule === current.rule)),
    S: () => likeLast(queue()),
    u: undo,
    "/": () => { showTab(false); form.elements.q.focus(); },
    "?": () => byId("help").showModal(),
  };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.target.closest("input, select, textarea, dialog")) {
      if (event.key === "Escape" && event.target.form === form) event.target.blur();
      return;
    }
    const command = commands[event.key];
    if (!command) return;
    event.preventDefault();
    say("");
    command();
  });
  for (const button of document.querySelectorAll("[data-key]")) button.addEventListener("click", () => commands[button.dataset.key]());

  // A key has eight bytes in base64.
  const fingerprint = (key) => "k" + Array.from(atob(key), (byte) => byte.charCodeAt(0).toString(16).padStart(2, "0")).join("");
  const exported = (of, name, columns) => {
    const chosen = new Map(rows.filter((row) => hasChoice(row, EXPORTS[of])).map((row) => [row.key, row]));
    const values = (row) => {
      const [game, digest, other_game, other_digest, ...other_input] = row.pair.split(" ");
      const { choice: keep, reason } = decisions[row.key];
      return { fingerprint: fingerprint(row.key), rule: row.rule, name: ruleName.get(row.rule), input: row.input, game_label: row.label,
        message: row.message, reason: keep === "both" ? "both games are kept" : reason, until: "", keep, game, digest,
        other_input: other_input.join(" "), other_game, other_digest };
    };
    save(name, columns, [...chosen.values()].map(values));
  };
  const FINDING = ["fingerprint", "rule", "name", "input", "game_label", "message"];
  byId("export-accept").addEventListener("click", () => exported("accept", "baseline.csv", [...FINDING, "reason", "until"]));
  byId("export-repair").addEventListener("click", () => exported("repair", "chosen-repairs.csv", FINDING));
  byId("export-keep").addEventListener("click", () => exported("keep", "decisions.csv",
    [...FINDING, "keep", "game", "digest", "other_input", "other_game", "other_digest"]));
  const hasPairs = rows.some((row) => row.pair);
  for (const id of ["pair-keys", "export-keep"]) byId(id).hidden = !hasPairs;

  // Paper shows what is filtered.
  let printed = [];
  addEventListener("beforeprint", () => {
    printed = bodies.filter((body) => !body.hidden && !isOpen(body));
    for (const body of printed) setOpen(body, true);
  });
  addEventListener("afterprint", () => printed.forEach((body) => setOpen(body, false)));

  // All inputs with findings, those with the most errors first.
  const errors = new Map();
  for (const row of rows) errors.set(row.input, (errors.get(row.input) ?? 0) + (row.severity === "error" ? 1e6 : 1));
  const byErrors = [...errors].sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1));
  byId("inputs").append(...byErrors.map(([name]) => element("option", { value: name.startsWith(prefix) ? name.slice(prefix.length) : name })));

  // Expand and collapse rules.
  for (const body of bodies) {
    const cell = body.querySelector(".name");
    const button = element("button", { type: "button", "aria-controls": body.id + "-detail" }, cell.textContent);
    cell.replaceChildren(button);
    setOpen(body, false);
    body.querySelector(".rule").addEventListener("click", () => {
      if (getSelection().toString()) return;
      setOpen(body, !isOpen(body));
      [open, at] = [isOpen(body) ? body.id : "", ""];
      remember(true);
    });
  }
  const toggleAll = byId("toggle-all");
  let allOpen = false;
  toggleAll.addEventListener("click", () => {
    allOpen = !allOpen;
    toggleAll.textContent = allOpen ? "Collapse all" : "Expand all";
    for (const body of bodies) setOpen(body, allOpen && !body.hidden);
  });

  // Sort by column.
  const keys = {
    code: (body) => body.id,
    name: nameOf,
    severity: (body) => severities.indexOf(body.dataset.severity),
    findings: (body) => Number(body.dataset.findings),
    records: (body) => Number(body.dataset.records),
    rate: (body) => Number(body.dataset.rate),
  };
  for (const head of table.tHead.rows[0].cells) {
    const button = element("button", { type: "button" }, head.textContent);
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const current = head.getAttribute("aria-sort");
      const isText = head.dataset.by === "code" || head.dataset.by === "name";
      const ascending = current ? current === "descending" : isText;
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", ascending ? "ascending" : "descending");
      const keyed = bodies.map((body) => [keys[head.dataset.by](body), body]);
      const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0) * (ascending ? 1 : -1);
      table.append(...keyed.sort(([a], [b]) => compare(a, b)).map(([, body]) => body));
    });
  }

  // The two parts of the page.
  const tabs = byId("tabs");
  const showTab = (isPortrait) => {
    if (!tabs) return;
    byId("findings").classList.toggle("away", isPortrait);
    byId("portrait").classList.toggle("away", !isPortrait);
    [...tabs.children].forEach((tab, i) => (i === 1) === isPortrait ? tab.setAttribute("aria-current", "page") : tab.removeAttribute("aria-current"));
  };

  // Go where the address says.
  const go = () => {
    const parts = location.hash.slice(1).split("&").map((part) => part.split("=").map(decodeURIComponent));
    const of = Object.fromEntries(parts.map(([key, value]) => (value === undefined ? ["open", key] : [key, value])));
    for (const key of FILTERS) {
      const field = form.elements[key];
      if (field?.type === "checkbox") field.checked = Boolean(of[key]);
      else if (field) field.value = of[key] ?? "";
    }
    [open, at] = [of.open ?? "", of.at ?? ""];
    filter();
    showTab(open === "portrait");
    if (open === "portrait") tabs?.scrollIntoView();
    const body = byId(open);
    if (!bodies.includes(body)) {
      if (parts[0][0] && FILTERS.includes(parts[0][0])) byId("rules").scrollIntoView();
      return;
    }
    setOpen(body, true);
    const row = at && groupOf(body).matches.find((row) => place(row) === at);
    if (row) return show(row);
    body.scrollIntoView();
    body.querySelector(".name button").focus({ preventScroll: true });
  };
  addEventListener("popstate", go);
  form.hidden = false;
  form.addEventListener("input", (event) => { at = ""; filter(); remember(event.target.type !== "search"); });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(() => { at = ""; filter(); remember(true); }));
  byId("queue").hidden = false;
  if (tabs) tabs.hidden = false;
  document.documentElement.classList.add("js");
  go();
  later(() => prepare(0));
})();
