// Fetches the page again and puts its verdict in place of the old one; says so when it cannot.
"use strict";
(() => {
  const every = 2000;
  const patience = 8000;
  const lost = document.getElementById("lost");
  const speech = document.getElementById("speech");
  const title = document.title;
  let lastGood = document.getElementById("as-of").textContent;
  let shown = document.getElementById("main").innerHTML;
  let isLost = false;
  let nameOfPage = title;

  function openOnes(root) {
    return new Set([...root.querySelectorAll("details[open]")].map(each => each.id));
  }

  function put(fresh) {
    const main = document.getElementById("main");
    const next = fresh.getElementById("main");
    const said = main.dataset.says;
    document.getElementById("as-of").textContent = fresh.getElementById("as-of").textContent;
    lastGood = fresh.getElementById("as-of").textContent;
    nameOfPage = fresh.title;
    document.title = fresh.title;
    if (next.innerHTML !== shown) {
      shown = next.innerHTML;
      const open = openOnes(main);
      const focused = document.activeElement;
      const path = main.contains(focused) && focused !== main ? pathOf(main, focused) : null;
      const scrolled = [...main.querySelectorAll(".scroll, pre")].map(each => each.scrollLeft);
      main.replaceChildren(...document.adoptNode(next).childNodes);
      for (const id of open) {
        const details = id && document.getElementById(id);
        if (details) details.open = true;
      }
      [...main.querySelectorAll(".scroll, pre")].forEach((each, at) => {
        each.scrollLeft = scrolled[at] || 0;
      });
      main.dataset.health = next.dataset.health;
      main.dataset.says = next.dataset.says;
      if (path) focusAgain(main, path);
    }
    if (said !== next.dataset.says) speech.textContent = next.dataset.says;
  }

  // A summary is found again by its details, anything else by its place.
  function pathOf(main, element) {
    const details = element.closest("details[id]");
    if (details && element.tagName === "SUMMARY") return { id: details.id };
    const all = [...main.querySelectorAll("a, summary, [tabindex]")];
    return { at: all.indexOf(element) };
  }

  function focusAgain(main, path) {
    const details = path.id && document.getElementById(path.id);
    const all = [...main.querySelectorAll("a, summary, [tabindex]")];
    const found = details ? details.querySelector("summary") : path.id ? null : all[path.at];
    (found || main).focus({ preventScroll: true });
  }

  function lose() {
    document.title = "Connection lost · Walproof";
    document.body.classList.add("stale");
    if (!isLost) {
      isLost = true;
      lost.hidden = false;
      lost.textContent = "Connection to Walproof lost. What is shown is as of " + lastGood
        + " and may be wrong by now. Trying again.";
    }
  }

  function found() {
    if (isLost) {
      isLost = false;
      lost.hidden = true;
      lost.textContent = "";
      document.body.classList.remove("stale");
      document.title = nameOfPage;
      speech.textContent = "Connection is back. " + document.getElementById("main").dataset.says;
    }
  }

  async function look() {
    const giveUp = new AbortController();
    const timer = setTimeout(() => giveUp.abort(), patience);
    try {
      const answer = await fetch("/", { cache: "no-store", signal: giveUp.signal });
      if (!answer.ok) throw new Error(String(answer.status));
      const text = await answer.text();
      const fresh = new DOMParser().parseFromString(text, "text/html");
      if (!fresh.getElementById("main")) throw new Error("not the page");
      put(fresh);
      found();
    } catch (problem) {
      lose();
    } finally {
      clearTimeout(timer);
      setTimeout(look, every);
    }
  }

  setTimeout(look, every);
})();
