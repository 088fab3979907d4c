// SPDX-License-Identifier: LGPL-3.0-or-later
// Makes elements of the page. Texts are always set as text, never as HTML.

import { percent as whole } from "./format.js";

const asProperty = new Set(["value", "checked", "disabled", "hidden", "htmlFor", "tabIndex", "textContent", "className", "open", "max", "min", "step"]);

// make("button", {class: "main", on: {click: f}, data: {axis: 0}, "aria-label": "..."}, children...)
export function make(tag, properties = {}, ...children) {
	const element = document.createElement(tag);
	for (const [name, value] of Object.entries(properties)) {
		if (value === undefined || value === null) continue;
		if (name === "class") element.className = value;
		else if (name === "text") element.textContent = value;
		else if (name === "data") Object.assign(element.dataset, value);
		else if (name === "on") for (const [event, handler] of Object.entries(value)) element.addEventListener(event, handler);
		else if (asProperty.has(name)) element[name] = value;
		else element.setAttribute(name, value === true ? "" : value);
	}
	element.append(...children);
	return element;
}

// A part of a panel with its heading; kind: further classes.
export const card = (title, kind, ...children) =>
	make("section", { class: "card " + kind, "aria-label": title }, make("h2", { text: title }), ...children);

export const row = (...children) => make("div", { class: "row" }, ...children);
export const space = () => make("span", { class: "space" });

// [[name, text]...] as a list of names and texts
export const factList = (facts) => make("dl", {}, ...facts.flatMap(([name, text]) => [make("dt", { text: name }), make("dd", { text })]));

const svgSpace = "http://www.w3.org/2000/svg";
export function makeSvg(tag, attributes = {}, ...children) {
	const element = document.createElementNS(svgSpace, tag);
	for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
	element.append(...children);
	return element;
}

export const button = (text, onClick, properties = {}) =>
	make("button", { type: "button", on: { click: onClick }, ...properties }, text);

// Sets a text only when it differs: screen readers and the layout stay quiet.
export function setText(element, text) {
	if (element.textContent !== text) element.textContent = text;
}

// Does it again and again, unless people want no motion; returns the timer.
export const inTurn = (work) => (matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : setInterval(work, 800));

// A text that hides when there is none.
export function tell(element, text) {
	setText(element, text || "");
	element.hidden = !text;
}

// A group of radio buttons that looks like one row of buttons. choices: [[value, text, title]...]
let groups = 0;
export function choiceRow(legend, choices, value, onChange, properties = {}) {
	const name = "choice-" + ++groups;
	const row = make("fieldset", { class: "choices", ...properties }, make("legend", { text: legend }));
	for (const [key, text, title] of choices) {
		const input = make("input", { type: "radio", name, value: key, checked: key === value, on: { change: () => onChange(key) } });
		row.append(make("label", { title }, input, make("span", { text })));
	}
	row.choose = (key) => { for (const input of row.querySelectorAll("input")) input.checked = input.value === key; };
	return row;
}

// A bar that shows a share from 0 to 1, with a name for screen readers; show tells it in percent.
export function bar(label, role = "meter") {
	const inner = make("div", { class: "fill" });
	const outer = make("div", { class: "bar", role, "aria-label": label, "aria-valuemin": "0", "aria-valuemax": "100" }, inner);
	outer.show = (share) => {
		const percent = Math.max(0, Math.min(100, 100 * (share || 0)));
		inner.style.width = percent.toFixed(1) + "%";
		outer.setAttribute("aria-valuenow", whole(share));
		return whole(share) + " %";
	};
	return outer;
}

export async function copyText(text, note) {
	try {
		await navigator.clipboard.writeText(text);
		say(note);
	} catch (error) {
		say("Not copied: " + error.message);
	}
}

// A short line at the bottom that goes away by itself, also read aloud.
let sayTimer = 0;
export function say(text) {
	const line = document.getElementById("say");
	line.textContent = text;
	line.classList.add("seen");
	clearTimeout(sayTimer);
	sayTimer = setTimeout(() => line.classList.remove("seen"), 4000);
}
