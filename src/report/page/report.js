"use strict";
(() => {
  const table = document.getElementById("table");
  if (!table) return;
  document.documentElement.classList.add("js");
  const bodies = [...table.tBodies];
  const form = document.getElementById("filters");
  const status = document.getElementById("status");
  const noMatches = document.getElementById("no-matches");
  const toggleAll = document.getElementById("toggle-all");
  const severities = ["info", "warning", "error"];

  // Expand and collapse rules.
  const setOpen = (body, isOpen) => {
    body.classList.toggle("open", isOpen);
    body.querySelector("details").open = isOpen;
    body.querySelector(".name button").setAttribute("aria-expanded", isOpen);
  };
  for (const body of bodies) {
    const cell = body.querySelector(".name");
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = cell.textContent;
    button.setAttribute("aria-controls", body.id + "-detail");
    cell.replaceChildren(button);
    setOpen(body, false);
    body.querySelector(".rule").addEventListener("click", () => {
      if (!getSelection().toString()) setOpen(body, !body.classList.contains("open"));
    });
  }
  let allOpen = false;
  toggleAll.addEventListener("click", () => {
    allOpen = !allOpen;
    toggleAll.textContent = allOpen ? "Collapse all" : "Expand all";
    for (const body of bodies) setOpen(body, allOpen && !body.hidden);
  });
  const openTarget = () => {
    const body = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!bodies.includes(body)) return;
    if (body.hidden) { form.reset(); filter(); }
    setOpen(body, true);
    body.scrollIntoView();
    body.querySelector(".name button").focus({ preventScroll: true });
  };
  addEventListener("hashchange", openTarget);

  // Sort by column.
  const keys = {
    code: (body) => body.id,
    name: (body) => body.querySelector(".name").textContent,
    severity: (body) => severities.indexOf(body.dataset.severity),
    findings: (body) => Number(body.dataset.findings),
    records: (body) => Number(body.dataset.records),
    rate: (body) => Number(body.dataset.rate),
  };
  const order = new Map(bodies.map((body, index) => [body, index]));
  for (const head of table.tHead.rows[0].cells) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const current = head.getAttribute("aria-sort");
      const isText = head.dataset.by === "code" || head.dataset.by === "name";
      const ascending = current ? current === "descending" : isText;
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", ascending ? "ascending" : "descending");
      const key = keys[head.dataset.by];
      const keyed = bodies.map((body) => [key(body), body]);
      const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0) * (ascending ? 1 : -1);
      keyed.sort(([a, one], [b, other]) => compare(a, b) || order.get(one) - order.get(other));
      table.append(...keyed.map(([, body]) => body));
    });
  }

  // Filter. If a rule matches the text, all its findings are shown; otherwise those that match.
  const texts = new Map();
  const textOf = (element) => {
    if (!texts.has(element)) texts.set(element, element.textContent.toLowerCase());
    return texts.get(element);
  };
  const initialStatus = status.textContent;
  const inInput = (body, input) => body.dataset.inputs.split(" ").map((pair) => pair.split(":")).find(([index]) => index === input);
  const filter = () => {
    const filters = Object.fromEntries(new FormData(form));
    const text = filters.text.trim().toLowerCase();
    let shown = 0;
    for (const body of bodies) {
      const findingsInInput = filters.input && inInput(body, filters.input);
      const ruleMatches = (!filters.severity || body.dataset.severity === filters.severity)
        && (!filters.family || body.dataset.family === filters.family)
        && (!filters.input || findingsInInput);
      const textMatches = !text || textOf(body.querySelector(".rule")).includes(text) || textOf(body.querySelector(".summary")).includes(text);
      let someMatch = false;
      for (const finding of body.querySelectorAll(".finding")) {
        const matches = (!filters.input || finding.dataset.input === filters.input)
          && (!filters.severity || finding.dataset.severity === filters.severity)
          && (textMatches || textOf(finding).includes(text));
        finding.hidden = !matches;
        someMatch ||= matches;
      }
      body.hidden = !(ruleMatches && (textMatches || someMatch));
      shown += !body.hidden;
      const cell = body.querySelector(".rule td.number");
      cell.dataset.all ??= cell.textContent;
      cell.textContent = findingsInInput
        ? Number(findingsInInput[1]).toLocaleString("en") + " of " + cell.dataset.all
        : cell.dataset.all;
    }
    const isFiltered = filters.severity || filters.family || filters.input || text;
    status.textContent = isFiltered ? shown + " of " + bodies.length + (bodies.length === 1 ? " row" : " rows") : initialStatus;
    noMatches.hidden = shown > 0;
  };
  form.hidden = false;
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(filter));
  filter();
  openTarget();
})();
