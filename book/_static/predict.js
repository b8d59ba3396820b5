/* Questions to be answered before reading on. What was chosen or typed is judged here, and the reason is taken from the
   fold behind the question. A number that fits a usual slip gets the sentence of that slip; of any other wrong number
   the page says how far off it is, and no cause. */
document.addEventListener("DOMContentLoaded", () => {
  const questions = [...document.querySelectorAll(".predict")];

  for (const question of questions) {
    const form = question.querySelector("form");
    const answers = [...question.querySelectorAll(".predict-answer")];
    const heard = question.querySelector(".predict-said");
    form.querySelector("button").hidden = false;

    const isRight = (answer) => answer.classList.contains("predict-right");
    const reasons = (told) => told.map((answer) => answer.querySelector(".predict-reason").cloneNode(true));

    const judgeNumber = () => {
      const typed = form.querySelector("input").value.trim().replace("−", "-").replace(",", ".");
      if (typed === "" || Number.isNaN(Number(typed))) return ["open", "Type a number, such as 0.5."];
      const near = ({ dataset }) => Math.abs(typed - dataset.value) <= Number(dataset.within);
      const met = answers.find(near);
      if (met) return isRight(met) ? ["right", "Right. ", ...reasons([met])] : ["wrong", "Not this. ", ...reasons([met])];
      const off = typed - answers.find(isRight).dataset.value;
      const size = String(Number(Math.abs(off).toPrecision(2)));
      const unit = form.querySelector("label span:last-child").textContent;
      return ["wrong", `Not this. It is ${[size, unit].filter(Boolean).join(" ")} too ${off > 0 ? "large" : "small"}.`];
    };

    const judgeChoices = () => {
      const chosen = [...form.querySelectorAll("input:checked")].map(({ value }) => answers[value]);
      if (chosen.length === 0) return ["open", "Choose first."];
      const wrong = chosen.filter((answer) => !isRight(answer));
      if (wrong.length > 0) return ["wrong", "Not this. ", ...reasons(wrong)];
      if (chosen.length < answers.filter(isRight).length) return ["open", "Right so far, and there is more. ", ...reasons(chosen)];
      return ["right", "Right. ", ...reasons(chosen)];
    };

    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const [tone, verdict, ...why] = form.dataset.kind === "number" ? judgeNumber() : judgeChoices();
      const word = document.createElement("strong");
      word.textContent = verdict;
      heard.dataset.tone = tone;
      heard.replaceChildren(word, ...why.flatMap((reason) => [reason, " "]));
    });
  }

  const folds = questions.map((question) => question.querySelector("details"));
  let shut = [];
  window.addEventListener("beforeprint", () => {
    shut = folds.filter((fold) => !fold.open);
    for (const fold of shut) fold.open = true;
  });
  window.addEventListener("afterprint", () => {
    for (const fold of shut) fold.open = false;
  });
});
