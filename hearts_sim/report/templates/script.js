// The page can be read without this: it sorts tables, copies commands, folds and unfolds.
"use strict";

// A cell's number; NaN where it has none. Its own value holds more digits than its text.
function numberOf(cell) {
  if (cell.dataset.v !== undefined) return Number(cell.dataset.v);
  const found = cell.textContent.replace(/,/g, "").match(/^[<>+\s]*(-?\d+(\.\d+)?)/);
  return found ? Number(found[1]) : NaN;
}

function isMissing(text) {
  return text === "" || text === "–";
}

// Rows in order; a row without a value is last, whichever way the order goes.
function sorted(rows, column, words, sign) {
  const keyed = rows.map((row) => {
    const cell = row.cells[column];
    const text = cell.textContent.trim();
    const value = words ? text : numberOf(cell);
    return { row, value, missing: words ? isMissing(text) : Number.isNaN(value) };
  });
  keyed.sort((a, b) => {
    if (a.missing || b.missing) return a.missing - b.missing;
    if (words) return sign * a.value.localeCompare(b.value, "en", { numeric: true });
    return sign * (a.value < b.value ? -1 : a.value > b.value ? 1 : 0);
  });
  return keyed.map((item) => item.row);
}

function sortBy(table, head) {
  const body = table.tBodies[0];
  const rows = Array.from(body.rows);
  const column = head.cellIndex;
  const words = rows.every((row) => Number.isNaN(numberOf(row.cells[column])))
    || head.classList.contains("text");
  const rising = head.getAttribute("aria-sort") !== "ascending";
  for (const other of head.parentElement.cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", rising ? "ascending" : "descending");
  body.append(...sorted(rows, column, words, rising ? 1 : -1));
}

// Buttons can be reached and pressed by keyboard, and say so to whoever listens.
for (const table of document.querySelectorAll("table.sortable")) {
  for (const head of table.tHead.rows[0].cells) {
    if (head.textContent === "") continue;
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    button.addEventListener("click", () => sortBy(table, head));
    head.replaceChildren(button);
  }
}

// Where a page may not reach the clipboard, the old way through a selection may still work.
async function copy(place) {
  try {
    await navigator.clipboard.writeText(place.textContent);
    return true;
  } catch {
    getSelection().selectAllChildren(place);
    return document.execCommand("copy");
  }
}

for (const box of document.querySelectorAll(".copy")) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "copy";
  button.setAttribute("aria-label", `Copy: ${box.textContent.trim()}`);
  button.addEventListener("click", async () => {
    button.textContent = (await copy(box.firstElementChild)) ? "copied" : "press Ctrl-C";
    setTimeout(() => { button.textContent = "copy"; }, 1500);
  });
  box.append(button);
}

// What scrolls can be scrolled by keyboard.
for (const box of document.querySelectorAll(".wide")) {
  if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
}

if (matchMedia("(max-width: 75rem)").matches) document.getElementById("contents").open = false;

addEventListener("beforeprint", () => {
  for (const details of document.querySelectorAll("details.paper")) details.open = true;
});
