// SPDX-License-Identifier: LGPL-3.0-or-later
// Start of the page: asks for the state and makes the panels that it calls for.

import { make, setText, say } from "./dom.js";
import { percent } from "./format.js";
import { holdBack, firstPainted } from "./ask.js";
import { Link } from "./link.js";
import { remember, recall } from "./keep.js";
import { showKeys } from "./help.js";
import { Volumes } from "./volumes.js";
import { Scan } from "./scan.js";
import { Run } from "./run.js";

const id = (name) => document.getElementById(name);
const panels = {}; // by name: volumes, scan, run
const titles = { volumes: "Volumes", scan: "Reconstruct one slice", run: "Run" };
let chosen = recall("tab");
let identity = "";
let now = {}; // the newest state
let gone = false;
let wantRun = false; // a run was started here; its panel is shown as soon as it is there

function root(name) {
	let section = id(name + "-panel");
	if (!section) {
		section = make("section", { id: name + "-panel", class: "panel " + name, "aria-label": titles[name], hidden: true });
		id("main").append(section);
	}
	return section;
}

function forget(name) {
	delete panels[name];
	id(name + "-panel")?.remove();
}

function choose(name, { keep = true } = {}) {
	chosen = name;
	for (const key of Object.keys(panels)) root(key).hidden = key !== name;
	for (const tab of id("tabs").children) tab.setAttribute("aria-current", tab.dataset.tab === name ? "page" : "false");
	if (keep) remember({ tab: name });
}

function showTabs() {
	const names = ["volumes", "scan", "run"].filter((name) => panels[name]);
	const tabs = id("tabs");
	if (names.join() !== tabs.dataset.names) {
		tabs.dataset.names = names.join();
		tabs.replaceChildren(...names.map((name) => make("button", { type: "button", data: { tab: name }, text: titles[name], on: { click: () => choose(name) } })));
		tabs.hidden = names.length < 2;
	}
	if (!panels[chosen]) chosen = ["run", "scan", "volumes"].find((name) => panels[name]);
	if (chosen) choose(chosen, { keep: false });
	panels[chosen]?.begin?.();
	id("nothing").hidden = names.length > 0;
	setText(id("nothing"), "There is nothing to show.");
}

function changed(state) {
	const volumes = JSON.stringify(state.volumes || []);
	if (volumes !== identity) {
		identity = volumes;
		panels.volumes?.end();
		forget("volumes");
		if (state.volumes?.length) panels.volumes = new Volumes(root("volumes"), state.volumes);
	}
	if (state.scan && !panels.scan) panels.scan = new Scan(root("scan"), state.scan, { started: () => { wantRun = true; } });
	panels.scan?.update(state);
	if (state.run) {
		panels.run ||= new Run(root("run"));
		panels.run.update(state.run);
		if (wantRun) { wantRun = false; showTabs(); choose("run"); }
	} else if (panels.run) {
		panels.run.end();
		forget("run");
	}
	setText(id("title"), state.title || "");
	setText(id("version"), state.version ? "version " + state.version : "");
	now = state;
	showTitle();
	showTabs();
	if (!chosen || chosen === "run") firstPainted(); // no picture to wait for
}

function showTitle() {
	const { run, title } = now;
	const going = ["running", "paused"].includes(run?.state);
	const share = !run ? "" : !going ? run.state : gone ? "not connected" : percent(run.progress.fraction) + " %";
	const words = [share, title, "Sinograph"].filter(Boolean).join(" · ");
	if (document.title !== words) document.title = words;
}

function connection(kind, text) {
	const banner = id("banner");
	gone = ["gone", "refused"].includes(kind);
	showTitle();
	banner.hidden = !kind;
	banner.className = "banner " + kind;
	setText(banner, text);
	document.documentElement.dataset.connection = kind || "connected";
	if (!kind && document.documentElement.dataset.wasLost) say("Connected again.");
	if (kind) document.documentElement.dataset.wasLost = "1";
}

addEventListener("keydown", (event) => {
	if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest?.("input:not([type=range], [type=checkbox], [type=radio]), select, textarea, dialog")) return;
	if (event.key === "?") { event.preventDefault(); return showKeys(); }
	if (panels[chosen]?.key?.(event.key.toLowerCase())) event.preventDefault();
});
id("keys-button").addEventListener("click", showKeys);
id("skip").addEventListener("click", (event) => { event.preventDefault(); id("main").focus(); });

if (id("state")) holdBack(); // the page knows what to show
new Link({ changed, shown: connection }).start();
