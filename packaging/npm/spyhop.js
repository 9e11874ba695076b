#!/usr/bin/env node
// Starts the program of the platform package that npm has installed beside this one.
"use strict";

const { spawn } = require("node:child_process");
const { existsSync } = require("node:fs");
const path = require("node:path");
const { version, optionalDependencies } = require("../package.json");

const platform = `${process.platform}-${process.arch}`;
const name = `@spyhop/${platform}`;

function fail(message, next) {
  process.stderr.write(`error: ${message}\nhint: ${next}\n`);
  process.exit(1);
}

if (!(name in optionalDependencies)) {
  const known = Object.keys(optionalDependencies).map((n) => n.slice("@spyhop/".length)).sort().join(", ");
  fail(`spyhop has no program for ${platform}; it has programs for ${known}`,
    "build it with Go: go install github.com/spyhop-dev/spyhop/cmd/spyhop@v" + version);
}

let program;
try {
  program = require.resolve(`${name}/bin/spyhop${process.platform === "win32" ? ".exe" : ""}`);
} catch {
  fail(`the package ${name} is not installed; it has the program for this platform`,
    `${install()} ${name}@${version}; npm leaves it out with --omit=optional, and when node_modules was copied from another platform`);
}

// install is the command that installs a package where this one is: in this folder, in
// another one (npx has its own), or for all folders.
function install() {
  const modules = path.resolve(__dirname, "..", "..");
  const folder = path.dirname(modules);
  if (path.basename(modules) !== "node_modules" || path.relative(folder, process.cwd()) === "") {
    return "npm install";
  }
  return existsSync(path.join(folder, "package.json")) ? `npm install --prefix "${folder}"` : "npm install -g";
}

const child = spawn(program, process.argv.slice(2), { stdio: "inherit", windowsHide: true });

// A terminal sends Ctrl-C to both processes: the program decides what it means. Other
// signals reach only this process and are passed on.
process.on("SIGINT", () => {});
for (const signal of ["SIGTERM", "SIGHUP", "SIGQUIT"]) {
  try {
    process.on(signal, () => child.kill(signal));
  } catch {
    // Windows does not have this signal.
  }
}

child.on("error", (err) => {
  fail(`cannot start ${program}: ${err.message}`, `${install()} ${name}@${version}, and check the permissions of the file`);
});
child.on("exit", (code, signal) => {
  if (signal) {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
    return;
  }
  process.exitCode = code;
});
