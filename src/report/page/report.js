"use strict";
(() => {
  const table = document.getElementById("table");
  if (!table) return;
  document.documentElement.classList.add("js");
  const bodies = [...table.tBodies];
  const form = document.getElementById("filters");
  const count = document.getElementById("count");
  const none = document.getElementById("none");
  const all = document.getElementById("toggle-all");
  const severities = ["info", "warning", "error"];

  // Rules open and close.
  const open = (body, wanted) => {
    body.classList.toggle("open", wanted);
    body.querySelector("details").open = wanted;
    body.querySelector(".name button").setAttribute("aria-expanded", wanted);
  };
  for (const body of bodies) {
    const cell = body.querySelector(".name");
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = cell.textContent;
    button.setAttribute("aria-controls", body.id + "-detail");
    cell.replaceChildren(button);
    open(body, false);
    body.querySelector(".rule").addEventListener("click", () => {
      if (!getSelection().toString()) open(body, !body.classList.contains("open"));
    });
  }
  let allOpen = false;
  all.addEventListener("click", () => {
    const wanted = (allOpen = !allOpen);
    all.textContent = wanted ? "Close all" : "Open all";
    for (const body of bodies) open(body, wanted && !body.hidden);
  });
  const openTarget = () => {
    const body = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!bodies.includes(body)) return;
    if (body.hidden) { form.reset(); filter(); }
    open(body, true);
    body.scrollIntoView();
    body.querySelector(".name button").focus({ preventScroll: true });
  };
  addEventListener("hashchange", openTarget);

  // Columns sort.
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
      const now = head.getAttribute("aria-sort");
      const words = head.dataset.by === "code" || head.dataset.by === "name";
      const up = now ? now === "descending" : words;
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const key = keys[head.dataset.by];
      const keyed = bodies.map((body) => [key(body), body]);
      keyed.sort(([a, one], [b, other]) => (a < b ? -1 : a > b ? 1 : 0) * (up ? 1 : -1) || order.get(one) - order.get(other));
      table.append(...keyed.map(([, body]) => body));
    });
  }

  // Filters. A rule that fits the text is shown with all its findings, another one with those that fit.
  const texts = new Map();
  const textOf = (element) => {
    if (!texts.has(element)) texts.set(element, element.textContent.toLowerCase());
    return texts.get(element);
  };
  const said = count.textContent;
  const inInput = (body, input) => body.dataset.inputs.split(" ").map((pair) => pair.split(":")).find(([index]) => index === input);
  const filter = () => {
    const wanted = Object.fromEntries(new FormData(form));
    const words = wanted.text.trim().toLowerCase();
    let shown = 0;
    for (const body of bodies) {
      const here = wanted.input && inInput(body, wanted.input);
      const fits = (!wanted.severity || body.dataset.severities.split(" ").includes(wanted.severity))
        && (!wanted.family || body.dataset.family === wanted.family)
        && (!wanted.input || here);
      const whole = !words || textOf(body.querySelector(".rule")).includes(words) || textOf(body.querySelector(".summary")).includes(words);
      let some = false;
      for (const finding of body.querySelectorAll(".finding")) {
        const fit = (!wanted.input || finding.dataset.input === wanted.input)
          && (!wanted.severity || finding.dataset.severity === wanted.severity)
          && (whole || textOf(finding).includes(words));
        finding.hidden = !fit;
        some ||= fit;
      }
      body.hidden = !(fits && (whole || some));
      shown += !body.hidden;
      const cell = body.querySelector(".rule td.n");
      cell.dataset.all ??= cell.textContent;
      cell.textContent = here ? Number(here[1]).toLocaleString("en") + " of " + cell.dataset.all : cell.dataset.all;
    }
    const filtered = wanted.severity || wanted.family || wanted.input || words;
    count.textContent = filtered ? shown + " of " + bodies.length + (bodies.length === 1 ? " rule" : " rules") : said;
    none.hidden = shown > 0;
  };
  form.hidden = false;
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(filter));
  filter();
  openTarget();
})();
