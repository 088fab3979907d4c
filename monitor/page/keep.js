// SPDX-License-Identifier: LGPL-3.0-or-later
// Keeps what is seen in the address (after #), so that a reload or a copied address shows the same again.

const kept = new URLSearchParams(location.hash.slice(1));
let timer = 0;

export const recall = (name) => kept.get(name);

export function recallNumbers(name, count) {
	const text = kept.get(name);
	if (!text) return null;
	const numbers = text.split(",").map(Number);
	return numbers.length === count && numbers.every(Number.isFinite) ? numbers : null;
}

// A word of a list; others in a damaged address count as none.
export const recallOne = (name, words) => words.find((word) => word === kept.get(name));

// remember({row: 5, zoom: null}): null forgets.
export function remember(values) {
	for (const [name, value] of Object.entries(values)) {
		if (value === null || value === undefined || value === "") kept.delete(name);
		else kept.set(name, Array.isArray(value) ? value.map((n) => (typeof n === "number" ? Number(n.toPrecision(9)) : n)).join(",") : String(value));
	}
	if (!timer) timer = setTimeout(write, 300);
}

function write() {
	clearTimeout(timer);
	timer = 0;
	const text = kept.toString().replace(/%2C/g, ",");
	if (text !== location.hash.slice(1)) history.replaceState(null, "", text ? "#" + text : location.pathname);
}

addEventListener("pagehide", () => { if (timer) write(); });
document.addEventListener("visibilitychange", () => { if (document.hidden && timer) write(); });
addEventListener("hashchange", () => location.reload()); // somebody pasted another address
