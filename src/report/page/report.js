"use strict";
(async () => {
  const table = document.getElementById("table");
  if (!table) return;
  const byId = (id) => document.getElementById(id);
  const [form, status, data] = ["filters", "status", "data"].map(byId);
  const severities = ["info", "warning", "error"];
  const number = (count) => count.toLocaleString("en");
  const quantity = (count, one, many) => `${number(count)} ${count === 1 ? one : many}`;
  const findings = (count) => quantity(count, "finding", "findings");

  // An element. Text from inputs becomes text nodes, never HTML.
  const NAMESPACES = { svg: 1, use: 1, path: 1, polyline: 1 };
  const element = (name, attributes, ...content) => {
    const made = NAMESPACES[name]
      ? document.createElementNS("http://www.w3.org/2000/svg", name)
      : document.createElement(name);
    for (const [key, value] of Object.entries(attributes ?? {})) if (value != null) made.setAttribute(key, value);
    made.append(...content.flat().filter((part) => part || part === 0));
    return made;
  };
  const link = (text, href) => element("a", { href, rel: "noopener noreferrer", target: "_blank" }, text);

  // The findings: compressed JSON, which `data.rs` writes.
  const unpacked = async (base64) => {
    const text = atob(base64);
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(i);
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return JSON.parse(await new Response(stream).text());
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
  const shortName = (row) => (row.input.startsWith(prefix) ? row.input.slice(prefix.length) : row.input);
  const place = (row) => `${row.input}:${row.line}:${row.column}`;

  // The rules, each with its findings: new ones first.
  const bodies = [...table.tBodies];
  const nameOf = (body) => body.querySelector(".name").textContent;
  const groups = new Map(bodies.map((body) => [body.dataset.code + body.dataset.severity, { body, rows: [], matches: [], shown: 0 }]));
  for (const known of [0, 1]) for (const row of rows) if (row.known === known) groups.get(row.rule + row.severity)?.rows.push(row);
  const groupOf = (body) => groups.get(body.dataset.code + body.dataset.severity);
  const ruleName = new Map(bodies.map((body) => [body.dataset.code, nameOf(body)]));

  // Boards, as `board.rs` draws them.
  const xy = (square) => [square.charCodeAt(0) - 97, 56 - square.charCodeAt(1)];
  const squares = (text) => text.match(/../g) ?? [];
  const moves = (text) => text.match(/..../g) ?? [];
  const names = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" };
  const piecesOf = (fen) => {
    const pieces = {};
    let [x, y] = [0, 0];
    for (const sign of fen.split(" ")[0].replace(/\[.*|~/g, "")) {
      if (sign === "/") [x, y] = [0, y + 1];
      else if (sign >= "1" && sign <= "9") x += Number(sign);
      else (pieces[sign] ??= []).push([x++, y]);
    }
    return pieces;
  };
  const describe = (fen, pieces, marks) => {
    const turn = { w: ", White to move", b: ", Black to move" }[fen.split(" ")[1]] ?? "";
    const list = (name, items) => (items.length ? `; ${name}: ${items.join(" ")}` : "");
    const arrows = (text) => moves(text).map((move) => move.slice(0, 2) + "-" + move.slice(2));
    const side = (color, letter) => {
      const kinds = Object.keys(names).map(letter).filter((sign) => pieces[sign]);
      const byRank = ([x1, y1], [x2, y2]) => y2 - y1 || x1 - x2;
      const at = (sign) => pieces[sign].toSorted(byRank).map(([x, y]) => String.fromCharCode(97 + x) + (8 - y)).join(" ");
      const each = kinds.map((sign) => `${names[sign.toLowerCase()]}${pieces[sign].length > 1 ? "s" : ""} ${at(sign)}`);
      return each.length ? `; ${color}: ${each.join(", ")}` : "";
    };
    return "Board" + turn + list("problem", squares(marks[0])) + list("check", squares(marks[1]))
      + list("move as written", arrows(marks[2])) + list("suggested move", arrows(marks[3]))
      + side("White", (sign) => sign.toUpperCase()) + side("Black", (sign) => sign);
  };
  const arrow = (kind) => (move) => {
    const [x1, y1, x2, y2] = squares(move).flatMap(xy).map((at) => at + 0.5);
    const length = Math.max(Math.hypot(x2 - x1, y2 - y1), 0.1);
    const part = Math.max(length - 0.35, 0) / length;
    return element("path", { class: kind, d: `M${x1} ${y1}L${x1 + (x2 - x1) * part} ${y1 + (y2 - y1) * part}` });
  };
  const board = (fen, marks) => {
    const pieces = piecesOf(fen);
    const frames = squares(marks[0]).map(xy).map(([x, y]) => `M${x + 0.04} ${y + 0.04}h.92v.92h-.92z`).join("");
    const lines = Object.entries(pieces).map(([sign, points]) => {
      const color = sign === sign.toLowerCase() ? "b" : "w";
      return element("polyline", { class: color + sign.toLowerCase(), points: points.join(" ") });
    });
    return element("svg", { class: "board", viewBox: "-.4 0 8.4 8.4", role: "img", "aria-label": describe(fen, pieces, marks) },
      element("use", { href: "#squares" }),
      frames && element("path", { class: "problem", d: frames }),
      marks[1] && element("polyline", { class: "check", points: squares(marks[1]).map(xy).join(" ") }),
      lines, moves(marks[2]).map(arrow("written")), moves(marks[3]).map(arrow("suggested")));
  };
  const analysis = (fen) => {
    const encoded = encodeURIComponent(fen.replaceAll(" ", "_")).replaceAll("%2F", "/");
    return link("Analyze on lichess.org", "https://lichess.org/analysis/" + encoded);
  };

  // Cards, as in `finding.html`.
  const code = (text) => {
    const parts = text.split("`");
    return parts.length % 2 ? parts.map((part, i) => (i % 2 ? element("code", null, part) : part)) : text;
  };
  const bdi = (...content) => element("bdi", null, ...content);
  const pair = (kind, name, value, note) => value
    && element("div", { class: kind }, element("dt", null, name), element("dd", null, bdi(value), note && element("small", null, " " + note)));
  const side = (one, other) => element("figure", null,
    element("figcaption", null, bdi(one.title)), board(one.fen, one.marks),
    element("p", null, one.values.flatMap((value, i) => value && [i ? " · " : "",
      value === other.values[i] ? bdi(value) : bdi(element("mark", null, value))])),
    element("p", { class: "links" }, analysis(one.fen)));
  const others = ({ place, kept, differences }) => [
    element("p", { class: "other" }, "The other one: ", bdi(place), ". ", kept),
    differences.length && element("table", { class: "copies" },
      element("thead", null, element("tr", null, ["Tag", "This game", "Other game"].map((name) => element("th", { scope: "col" }, name)))),
      element("tbody", null, differences.map(([name, own, other]) => element("tr", null,
        element("th", { scope: "row" }, name), element("td", null, bdi(own)), element("td", null, bdi(other)))))),
  ];
  const card = (row) => {
    const record = row.game ? "Record " + number(row.game) : "Entire input";
    const at = [row.game && row.label && "record " + number(row.game), row.ply && "ply " + row.ply,
      row.known && "in the baseline", row.variation && "variation " + row.variation,
      row.cause && `see ${row.cause} ${ruleName.get(row.cause) ?? ""}`];
    const isRepair = Boolean(row.repair);
    return element("article", { class: row.marks ? "finding with-board" : "finding", tabindex: -1 },
      row.marks && board(row.fen, row.marks),
      element("div", { class: "text" },
        element("h3", null, row.label ? bdi(row.label) : record),
        element("p", { class: "location" }, element("span", { class: "severity " + row.severity }, row.severity), " ",
          bdi(shortName(row)), element("span", { class: "nowrap" }, `:${row.line}:${row.column}`), at.filter(Boolean).map((part) => " · " + part)),
        element("p", { class: "message" }, bdi(code(row.message))),
        element("dl", { class: "pairs" }, pair("found", "Found", row.found),
          pair(isRepair ? "repair" : "expected", isRepair ? "Suggested repair" : "Expected", row.expected, row.repair)),
        row.pair && element("div", { class: "pair" }, side(row.pair[0], row.pair[1]), side(row.pair[1], row.pair[0])),
        row.other && others(row.other),
        row.context && element("p", { class: "context" }, bdi(row.context[0], element("mark", null, row.context[1]), row.context[2])),
        row.fen && element("p", { class: "fen" }, element("code", null, row.fen)),
        element("p", { class: "links" },
          element("a", { href: address({ ...state(), open: idOf(row), at: place(row) }) }, "Link to this finding"),
          row.site && link("View the game online", row.site), row.marks && analysis(row.fen))));
  };
  const CHOICES = { accept: "Accepted", repair: "Repair taken", later: "Later" };
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
  const textOf = (row) => (row.text ??= [row.rule, ruleName.get(row.rule), row.severity, row.input, row.move, row.found,
    row.expected, row.fen, row.label, row.message, row.more].join("\n").toLowerCase());
  const inputs = new Set(rows.map((row) => row.input));
  const inSample = rows.length < total ? ` in ${number(rows.length)} of ${findings(total)}; the others are in the CSV files` : "";
  const filter = () => {
    const { q, severity, family, input, new: isNew } = Object.fromEntries(new FormData(form));
    const text = (q ?? "").trim().toLowerCase();
    const exact = [input, prefix + input].find((name) => inputs.has(name));
    const part = (input ?? "").toLowerCase();
    const isIn = (row) => (exact ? row.input === exact : row.input.toLowerCase().includes(part));
    const matches = (row) => (!isNew || !row.known) && (!part || isIn(row)) && (!text || textOf(row).includes(text));
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
  const isDecided = (row) => ["accept", "repair"].includes(decisions[row.key]?.choice);
  const progress = () => {
    const all = queue();
    const done = all.filter(isDecided).length;
    byId("progress").textContent = `${number(done)} of ${number(all.length)} decided`;
    for (const choice of ["accept", "repair"]) byId("export-" + choice).disabled = !rows.some((row) => decisions[row.key]?.choice === choice);
  };
  const store = (key, decision) => {
    if (decision) decisions[key] = decision;
    else delete decisions[key];
    try {
      localStorage.setItem(STORE, JSON.stringify(decisions));
    } catch {
      // As above.
    }
    rows.filter((row) => row.key === key && cards.has(row)).forEach(mark);
    progress();
  };
  const step = (by) => {
    const all = queue();
    const index = all.indexOf(current);
    const next = all[index < 0 ? 0 : index + by];
    if (next) show(next);
  };
  const decide = (choice, reason) => {
    undone.push([current, decisions[current.key]]);
    store(current.key, { choice, reason });
    step(1);
  };
  const undo = () => {
    const [row, before] = undone.pop() ?? [];
    if (!row) return;
    store(row.key, before);
    show(row);
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
    l: () => current && decide("later", ""),
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

  // Exports: CSV files, whose cells spreadsheets do not run as formulas (as in `cell.rs`).
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
  const exported = (choice, name, columns) => {
    const chosen = new Map(rows.filter((row) => decisions[row.key]?.choice === choice).map((row) => [row.key, row]));
    const values = (row) => ({ fingerprint: row.key, rule: row.rule, name: ruleName.get(row.rule), input: row.input,
      game_label: row.label ?? "", message: row.message, reason: decisions[row.key].reason, until: "" });
    const lines = [...chosen.values()].map((row) => columns.map((column) => cell(values(row)[column])).join(","));
    const url = URL.createObjectURL(new Blob([[columns.join(","), ...lines, ""].join("\n")], { type: "text/csv" }));
    element("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  };
  const FINDING = ["fingerprint", "rule", "name", "input", "game_label", "message"];
  byId("export-accept").addEventListener("click", () => exported("accept", "baseline.csv", [...FINDING, "reason", "until"]));
  byId("export-repair").addEventListener("click", () => exported("repair", "chosen-repairs.csv", FINDING));

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
