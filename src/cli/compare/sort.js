
for (const title of document.querySelectorAll("thead th")) {
  const sort = () => {
    const body = title.closest("table").tBodies[0];
    const column = title.cellIndex;
    const up = title.getAttribute("aria-sort") !== "ascending";
    const key = (row) => {
      const cell = row.cells[column];
      if (!cell.classList.contains("number")) return cell.textContent;
      return cell.dataset.number === undefined ? Infinity : Number(cell.dataset.number);
    };
    const order = (a, b) => typeof a === "string" ? a.localeCompare(b) : a === b ? 0 : a - b;
    const rows = Array.from(body.rows).sort((a, b) => order(key(a), key(b)));
    if (!up) rows.reverse();
    for (const other of title.parentNode.cells) other.removeAttribute("aria-sort");
    title.setAttribute("aria-sort", up ? "ascending" : "descending");
    body.append(...rows);
  };
  title.classList.add("sortable");
  title.tabIndex = 0;
  title.addEventListener("click", sort);
  title.addEventListener("keydown", (event) => { if (event.key === "Enter") sort(); });
}
