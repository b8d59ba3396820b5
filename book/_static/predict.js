/* Questions to be answered before reading on. What was chosen or typed is judged here, and the reason is taken from the
   fold behind the question. A number that fits a usual slip gets the sentence of that slip; of any other wrong number
   the page says how far off it is, and no cause. Where a place is asked for, the live figure of the page comes to the
   question, and its own numbers judge. */
document.addEventListener("DOMContentLoaded", () => {
  const questions = [...document.querySelectorAll(".predict")];
  const isRight = (answer) => answer.classList.contains("predict-right");
  const reasons = (told) => told.map((answer) => answer.querySelector(".predict-reason").cloneNode(true));
  const judged = (answer) => [isRight(answer) ? "right" : "wrong", isRight(answer) ? "Right. " : "Not quite. ", ...reasons([answer])];

  const judgeNumber = (form, answers) => {
    const unit = form.querySelector("label span:last-child").textContent;
    const entry = form.querySelector("input").value.trim();
    const typed = (unit && entry.endsWith(unit) ? entry.slice(0, -unit.length).trim() : entry).replace("−", "-").replace(",", ".");
    if (typed === "" || Number.isNaN(Number(typed))) return ["open", "Type a number, such as 0.5."];
    const near = ({ dataset }) => Math.abs(typed - dataset.value) <= Number(dataset.within);
    const met = answers.find(near);
    if (met) return judged(met);
    const off = typed - answers.find(isRight).dataset.value;
    const size = String(Number(Math.abs(off).toPrecision(2)));
    return ["wrong", `Not quite. Your number is ${[size, unit].filter(Boolean).join(" ")} too ${off > 0 ? "large" : "small"}.`];
  };

  const judgeChoices = (form, answers) => {
    const chosen = [...form.querySelectorAll("input:checked")].map(({ value }) => answers[value]);
    if (chosen.length === 0) return ["open", "Choose an answer first."];
    const wrong = chosen.filter((answer) => !isRight(answer));
    if (wrong.length > 0) return ["wrong", "Not quite. ", ...reasons(wrong)];
    if (chosen.length < answers.filter(isRight).length) return ["open", "Right so far, but not complete. ", ...reasons(chosen)];
    return ["right", "Right. ", ...reasons(chosen)];
  };

  /* Of a place: readers move some values of the figure, and the others are put back before it is judged. */
  const begun = new Map();
  const judgePlace = (form, answers) => {
    const { live } = document.querySelector(".predict-figure .live-host");
    const off = Object.entries(begun.get(form)).filter(([name, value]) => live.state.all()[name] !== value);
    const fast = off.filter(([name]) => !(name in JSON.parse(form.dataset.moved)));
    if (fast.length > 0) {
      live.state.set(Object.fromEntries(fast));
      return ["open", "Another control was moved as well. It has been reset; look again, and press the button once more."];
    }
    if (off.length === 0) return ["open", "Move something in the figure first."];
    const facts = live.facts();
    const lies = ([name, [low, high]]) => (low ?? -Infinity) <= facts[name] && facts[name] <= (high ?? Infinity);
    live.veil(false);
    return judged(answers.find(({ dataset }) => Object.entries(JSON.parse(dataset.where ?? "{}")).every(lies)));
  };

  const judges = { number: judgeNumber, place: judgePlace };
  let giveBack = () => {};
  window.addEventListener("beforeprint", () => giveBack());

  /* The figure comes into the question, and what it tells is hidden; what stood beside it keeps its place. */
  const offerFigure = (question, form, heard) => {
    const asked = Object.keys({ ...JSON.parse(form.dataset.held), ...JSON.parse(form.dataset.moved) });
    const hosts = [...document.querySelectorAll(".live-host.live-is-on")];
    const host = hosts.find(({ live }) => live && asked.every((name) => name in live.state.all()));
    if (!host) return; // the fold answers
    const [bring, submit, back] = form.querySelectorAll("button");
    const gap = document.createElement("div");
    const show = (here) => {
      bring.hidden = here;
      for (const part of [submit, back, question.querySelector(".predict-how")]) part.hidden = !here;
    };
    show(false);
    bring.addEventListener("click", () => {
      giveBack();
      gap.style.height = `${host.offsetHeight}px`;
      host.replaceWith(gap);
      question.querySelector(".predict-figure").append(host);
      heard.replaceChildren();
      show(true);
      giveBack = () => {
        gap.replaceWith(host);
        host.live.veil(false);
        show(false);
        giveBack = () => {};
      };
      host.live.state.reset();
      host.live.state.set({ ...JSON.parse(form.dataset.held), ...JSON.parse(form.dataset.moved) });
      begun.set(form, host.live.state.all());
      host.live.veil(true);
      host.querySelector(".live-handle").focus();
    });
    back.addEventListener("click", () => {
      giveBack();
      bring.focus();
    });
    question.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && event.target.matches(".live-handle")) form.requestSubmit();
    });
  };

  for (const question of questions) {
    const form = question.querySelector("form");
    const answers = [...question.querySelectorAll(".predict-answer")];
    const heard = question.querySelector(".predict-said");
    if (form.dataset.kind === "place") window.addEventListener("load", () => offerFigure(question, form, heard));
    else form.querySelector("button").hidden = false;

    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const [tone, verdict, ...why] = (judges[form.dataset.kind] ?? judgeChoices)(form, answers);
      const word = document.createElement("strong");
      word.textContent = verdict;
      heard.dataset.tone = tone;
      heard.replaceChildren(word, ...why.flatMap((reason) => [reason, " "]));
    });
  }
});
