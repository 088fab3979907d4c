// SPDX-License-Identifier: LGPL-3.0-or-later
// The panel that watches a run: progress, graph of nodes, memory, devices, messages, pictures.

import { make, button, bar, card, row, space, setText, tell, say } from "./dom.js";
import { post } from "./ask.js";
import { bytes, seconds, number } from "./format.js";
import { NodeGraph } from "./nodes.js";
import { RunPictures } from "./pictures.js";
import { goesOn } from "./live.js";

const words = { preparing: "Preparing", running: "Running", paused: "Paused", done: "Done", failed: "Failed", cancelled: "Cancelled" };

export class Run {
	constructor(root) {
		this.root = root;
		this.word = make("h2", { class: "state", "aria-live": "polite", tabIndex: -1 });
		this.name = make("span", { class: "muted" });
		this.message = make("p", { class: "outcome", role: "status", hidden: true });
		this.progress = bar("Progress", "progressbar");
		this.percent = make("span", { class: "percent" });
		this.facts = make("dl", { class: "numbers" });
		this.pauseButton = button("Pause", () => this.act(this.state === "paused" ? "resume" : "pause"), { data: { action: "pause" } });
		this.cancelButton = button("Cancel", () => this.cancel(), { class: "careful", data: { action: "cancel" } });
		this.nodes = new NodeGraph();
		this.pictures = new RunPictures();
		this.memory = makeMemory();
		this.devices = make("ul", { class: "devices" });
		this.log = make("ol", { class: "log", role: "log", "aria-live": "polite", "aria-label": "Messages", tabIndex: 0 });
		this.logged = 0;
		root.replaceChildren(
			make("section", { class: "card run-top", "aria-label": "Progress" },
				row(this.word, this.name, space(), this.pauseButton, this.cancelButton),
				row(this.progress, this.percent), this.facts, this.message),
			card("Graph", "", this.nodes.root),
			make("div", { class: "run-parts" },
				this.pictures.root,
				make("div", { class: "run-side" },
					card("Memory", "", this.memory.root),
					this.deviceCard = card("Devices", "", this.devices),
					this.logCard = card("Messages", "", this.log))));
	}

	end() { this.pictures.end(); }

	update(run) {
		const progress = run.progress || {};
		const fraction = progress.fraction || 0;
		if (this.identity !== run.title || (!goesOn(this) && goesOn(run))) { // another run
			this.identity = run.title;
			this.log.replaceChildren();
			this.logged = 0;
		}
		this.state = run.state;
		this.root.dataset.state = run.state;
		setText(this.word, words[run.state] || run.state);
		setText(this.name, run.title || "");
		tell(this.message, run.message !== run.title && run.message);
		setText(this.percent, this.progress.show(fraction));
		this.root.dataset.fraction = fraction;
		const going = goesOn(run);
		const facts = [];
		if (progress["slices-total"]) facts.push(["Slices", `${progress["slices-done"]} of ${progress["slices-total"]}`]);
		if (progress["frames-total"]) facts.push(["Frames", `${progress["frames-done"]} of ${progress["frames-total"]}`]);
		facts.push(["Time spent", seconds(progress.seconds)]);
		if (going) facts.push(["Time left", progress.left == null ? "not yet known" : "about " + seconds(progress.left)]);
		if (going && run.bottleneck) facts.push(["Bottleneck", run.bottleneck]);
		showList(this.facts, facts);
		if (!going && this.cancelButton.parentNode.contains(document.activeElement)) this.word.focus();
		this.pauseButton.hidden = !run["can-pause"] || !going;
		setText(this.pauseButton, run.state === "paused" ? "Resume" : "Pause");
		this.cancelButton.hidden = !going;
		this.nodes.update(run.nodes || [], run.bottleneck);
		this.memory.update(run.memory);
		this.showDevices(run.devices || []);
		this.showMessages(run.messages || []);
		this.pictures.update(run);
	}

	async act(what) {
		try { await post("/run/" + what); } catch (error) { say(error.message); }
	}

	cancel() { // asks once: a second press within 3 seconds cancels
		const asks = this.cancelButton.classList.toggle("really");
		setText(this.cancelButton, asks ? "Really cancel?" : "Cancel");
		clearTimeout(this.really);
		if (asks) this.really = setTimeout(() => this.unsure(), 3000);
		else this.act("cancel").then(() => this.word.focus());
	}

	unsure() {
		this.cancelButton.classList.remove("really");
		setText(this.cancelButton, "Cancel");
	}

	showDevices(devices) {
		this.deviceCard.hidden = !devices.length;
		while (this.devices.children.length > devices.length) this.devices.lastChild.remove();
		devices.forEach((device, i) => {
			const item = this.devices.children[i] || this.devices.appendChild(make("li", {}, make("span"), make("span", { class: "muted" }), make("p", { class: "warning" })));
			setText(item.children[0], device.name || device.id);
			setText(item.children[1], `${device.items} ${device.items === 1 ? "item" : "items"}` + (device.rows ? `, ${device.rows} rows` : ""));
			tell(item.children[2], device.failure && "Failed: " + device.failure);
		});
	}

	showMessages(messages) {
		this.logCard.hidden = !messages.length;
		if (messages.length < this.logged) { this.log.replaceChildren(); this.logged = 0; }
		const below = this.log.scrollHeight - this.log.scrollTop - this.log.clientHeight < 30;
		for (const message of messages.slice(this.logged))
			this.log.append(make("li", { class: message.warning ? "warning" : "" }, make("b", { text: message.node ? message.node + " " : "" }),
				message.warning ? make("span", { class: "tag", text: "warning" }) : "", " " + message.text));
		if (messages.length > this.logged && below) this.log.scrollTop = this.log.scrollHeight;
		this.logged = messages.length;
	}
}

// [[name, text]...] into a list of definitions, without touching what is the same.
export function showList(list, facts) {
	if (list.children.length !== facts.length) list.replaceChildren(...facts.map(() => make("div", {}, make("dt"), make("dd"))));
	facts.forEach(([name, text], i) => {
		setText(list.children[i].children[0], name);
		setText(list.children[i].children[1], text);
	});
}

function makeMemory() {
	const used = bar("Memory in use");
	const planned = make("span", { class: "mark planned", title: "planned" });
	const peak = make("span", { class: "mark peak", title: "peak so far" });
	used.append(planned, peak);
	used.classList.add("memory");
	const facts = make("dl", { class: "numbers" });
	const root = make("div", {}, used, facts);
	return {
		root,
		update(memory) {
			if (!memory) return;
			const whole = memory.limit || Math.max(memory.planned, memory.peak, memory.resident, 1);
			used.show(memory.resident / whole);
			used.classList.toggle("over", memory.limit > 0 && memory.resident > memory.limit);
			for (const [mark, value] of [[planned, memory.planned], [peak, memory.peak]]) {
				mark.hidden = !value;
				mark.style.left = Math.min(100, (100 * value) / whole).toFixed(1) + "%";
			}
			showList(facts, [["In use", bytes(memory.resident)], ["Peak", bytes(memory.peak)], ["Planned", bytes(memory.planned)], ["Limit", memory.limit ? bytes(memory.limit) : "none"]]);
			root.dataset.share = number(memory.resident / whole, 3);
		},
	};
}
