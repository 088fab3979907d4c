// SPDX-License-Identifier: LGPL-3.0-or-later
// The graph of nodes, from left to right; numbers change in place.

import { make, makeSvg, bar, setText, tell } from "./dom.js";
import { rate, bytes } from "./format.js";

export class NodeGraph {
	constructor() {
		this.edges = makeSvg("svg", { class: "edges", "aria-hidden": "true" });
		this.list = make("ol", { class: "nodes" });
		this.root = make("div", { class: "node-graph", tabIndex: 0, role: "group", "aria-label": "Nodes of the graph" }, this.edges, this.list);
		this.cards = new Map();
		new ResizeObserver(() => this.drawEdges()).observe(this.list);
	}

	update(nodes, bottleneck) {
		const used = new Set(nodes.flatMap((node) => node.inputs || []));
		if (used.size) nodes = nodes.filter((node) => node.inputs?.length || used.has(node.name));
		const shape = JSON.stringify(nodes.map((node) => [node.name, node.inputs]));
		if (shape !== this.shape) {
			this.shape = shape;
			this.build(nodes);
		}
		for (const node of nodes) this.show(node, node.name === bottleneck);
	}

	build(nodes) {
		const places = layOut(nodes);
		this.cards.clear();
		this.list.replaceChildren(...nodes.map((node) => {
			const card = makeCard(node);
			const [column, row] = places.get(node.name);
			card.root.style.gridColumn = String(column + 1);
			card.root.style.gridRow = String(row + 1);
			this.cards.set(node.name, card);
			return card.root;
		}));
		this.inputs = nodes.flatMap((node) => (node.inputs || []).map((input) => [input, node.name]));
		this.drawEdges();
	}

	show(node, slowest) {
		const card = this.cards.get(node.name);
		setText(card.share, card.busy.show(node.busy) + " busy");
		card.root.classList.toggle("slowest", slowest);
		card.tag.hidden = !slowest;
		setText(card.rate, rate(node.rate));
		const queue = node.capacity ? `${node.queued} of ${node.capacity}` : "";
		card.queueLine.hidden = !queue;
		setText(card.queue, queue);
		const messages = node.messages || [];
		tell(card.note, messages.join("\n"));
		Object.assign(card.root.dataset, { busy: node.busy, queued: node.queued, bottleneck: slowest ? "1" : "0" });
		const facts = { in: bytes(node["bytes-in"] || 0), out: bytes(node["bytes-out"] || 0), "blocks in": node["blocks-in"], "blocks out": node["blocks-out"], ...node.counters };
		card.root.title = [`${node.name} (${node.type})`, ...Object.entries(facts).map(([name, value]) => `${name}: ${value}`), ...messages].join("\n");
	}

	drawEdges() {
		if (!this.inputs) return;
		const { offsetWidth: width, offsetHeight: height } = this.list;
		this.edges.setAttribute("viewBox", `0 0 ${width} ${height}`);
		this.edges.setAttribute("width", width);
		this.edges.setAttribute("height", height);
		this.edges.replaceChildren(...this.inputs.map(([from, to]) => {
			const a = this.cards.get(from)?.root;
			const b = this.cards.get(to)?.root;
			if (!a || !b) return "";
			const [x0, y0] = [a.offsetLeft + a.offsetWidth, a.offsetTop + 22];
			const [x1, y1] = [b.offsetLeft, b.offsetTop + 22];
			const bend = Math.max(8, (x1 - x0) / 2);
			return makeSvg("path", { d: `M${x0} ${y0} C${x0 + bend} ${y0} ${x1 - bend} ${y1} ${x1} ${y1}`, fill: "none" });
		}));
	}
}

function makeCard(node) {
	const busy = bar("Busy: " + node.name);
	const card = {
		busy, share: make("span", { class: "number" }), rate: make("span", { class: "number" }), queue: make("span", { class: "number" }),
		tag: make("span", { class: "tag", text: "bottleneck", hidden: true }), note: make("p", { class: "node-note", hidden: true }),
	};
	card.queueLine = make("div", { class: "line" }, make("span", { class: "muted", text: "queue" }), card.queue);
	card.root = make("li", { class: "node", data: { node: node.name } },
		make("div", { class: "line node-name" }, make("b", { text: node.name.replaceAll("/", "/\u200b") })), card.tag,
		make("span", { class: "muted type", text: node.name.endsWith(node.type) ? "" : node.type }),
		make("div", { class: "line" }, busy, card.share), make("div", { class: "line" }, make("span", { class: "muted", text: "rate" }), card.rate), card.queueLine,
		node.inputs?.length ? make("span", { class: "muted after", text: "after " + node.inputs.join(", ") }) : "", card.note);
	return card;
}

// A function that tells the length of the longest way from a node.
function longest(next) {
	const known = new Map();
	return function way(name) {
		if (known.has(name)) return known.get(name);
		known.set(name, 0); // a circle ends
		const length = Math.max(0, ...next(name).map((other) => 1 + way(other)));
		known.set(name, length);
		return length;
	};
}

// Columns by the longest way from a source; rows so that a node stays beside its first input if there is room.
function layOut(nodes) {
	const depth = longest((name) => nodes.find((node) => node.name === name)?.inputs || []);
	// A node with more nodes behind it comes first, so that the long way is a straight line.
	const reach = longest((name) => nodes.filter((node) => node.inputs?.includes(name)).map((node) => node.name));
	const taken = new Set();
	const places = new Map();
	for (const node of [...nodes].sort((a, b) => depth(a.name) - depth(b.name) || reach(b.name) - reach(a.name))) {
		const column = depth(node.name);
		let row = places.get((node.inputs || []).find((name) => places.has(name)))?.[1] ?? 0;
		while (taken.has(column + "," + row)) ++row;
		taken.add(column + "," + row);
		places.set(node.name, [column, row]);
	}
	return places;
}
