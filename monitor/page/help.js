// SPDX-License-Identifier: LGPL-3.0-or-later
// The dialog with keys and gestures.

import { make, button } from "./dom.js";

const groups = [
	["Slices", [["Wheel, arrow keys", "one slice on or back"], ["Shift + wheel, Page Up, Page Down", "ten slices"], ["Home, End", "first, last slice"],
		["Click, drag", "move the crosshair"], ["1, 2, 3, 4", "slices along the first, second, third axis; all three"]]],
	["Zoom", [["Ctrl + wheel, two fingers, + and −", "zoom around the pointer"], ["Drag (zoomed), middle button, Space + drag, Shift + arrow keys", "move the picture"],
		["Double click, 0", "whole slice"]]],
	["Grey window", [["Drag a handle of the histogram", "black or white"], ["Drag between the handles", "both"], ["I", "invert"]]],
	["More", [["P", "profile along a line"], ["B", "blink: change between two pictures"], ["K", "keep this reconstruction, to compare"], ["?", "this list"]]],
];

let dialog = null;

export function showKeys() {
	if (!dialog) {
		dialog = make("dialog", { id: "keys", "aria-labelledby": "keys-title" },
			make("h2", { id: "keys-title", text: "Keys and gestures" }),
			...groups.flatMap(([title, rows]) => [make("h3", { text: title }),
				make("dl", {}, ...rows.flatMap(([keys, text]) => [make("dt", { text: keys }), make("dd", { text })]))]),
			make("div", { class: "row end-row" }, button("Close", () => dialog.close(), { class: "main" })));
		dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
		document.body.append(dialog);
	}
	if (!dialog.open) dialog.showModal();
}
