/* The card of a link to a word, an equation or a claim, while the pointer or the focus is on it. The page brings the
   cards along, in templates. A card stays while the pointer is on it, and Escape takes it away. */
document.addEventListener("DOMContentLoaded", () => {
  const cards = new Map([...document.querySelectorAll("template[data-card]")].map((card) => [card.dataset.card, card]));
  const box = document.createElement("div");
  let shown = null;
  let wait = 0;
  box.className = "hover-card tex2jax_process";
  box.id = "hover-card";
  box.setAttribute("role", "tooltip");
  box.hidden = true;
  document.body.append(box);

  const hide = () => {
    shown?.removeAttribute("aria-describedby");
    shown = null;
    box.hidden = true;
  };
  const place = (link) => {
    const at = link.getClientRects()[0];
    const left = Math.min(at.left, document.documentElement.clientWidth - box.offsetWidth - 12);
    const below = at.bottom + box.offsetHeight + 12 < window.innerHeight;
    box.style.left = `${Math.max(12, left) + window.scrollX}px`;
    box.style.top = `${(below ? at.bottom + 4 : at.top - box.offsetHeight - 4) + window.scrollY}px`;
  };
  const show = async (link, card) => {
    if (shown === link) return;
    hide();
    shown = link;
    link.removeAttribute("title");
    link.setAttribute("aria-describedby", box.id);
    box.replaceChildren(card.content.cloneNode(true));
    box.hidden = false;
    place(link);
    await window.MathJax?.typesetPromise?.([box]);
    if (shown === link) place(link);
  };
  const later = (act, milliseconds) => {
    clearTimeout(wait);
    wait = setTimeout(act, milliseconds);
  };

  for (const link of document.querySelectorAll("article a[href*='#']:not(.headerlink)")) {
    const card = cards.get(decodeURIComponent(link.hash.slice(1)));
    if (!card) continue;
    link.addEventListener("pointerenter", (event) => event.pointerType === "mouse" && later(() => show(link, card), 150));
    link.addEventListener("pointerleave", () => later(hide, 200));
    link.addEventListener("focus", () => link.matches(":focus-visible") && show(link, card));
    link.addEventListener("blur", hide);
  }
  box.addEventListener("pointerenter", () => clearTimeout(wait));
  box.addEventListener("pointerleave", () => later(hide, 200));
  document.addEventListener("keydown", (event) => event.key === "Escape" && hide());
});
