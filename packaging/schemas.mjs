// Checks server.json and the bills of materials of a release against their schemas.
// Usage: node schemas.mjs SCHEMA DIST, in a folder with ajv and @cyclonedx/cyclonedx-library.
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";

const from = createRequire(process.cwd() + "/");
const Ajv = from("ajv").default;
const { Validation, Spec } = from("@cyclonedx/cyclonedx-library");
const [schema, dist] = process.argv.slice(2);

const ajv = new Ajv({ strict: false, allErrors: true });
from("ajv-formats").default(ajv);
const valid = ajv.compile(JSON.parse(readFileSync(schema)));
let wrong = 0;
if (!valid(JSON.parse(readFileSync(`${dist}/server.json`)))) {
  console.error("server.json:", valid.errors);
  wrong++;
}
const bills = readdirSync(dist).filter((name) => name.endsWith(".cdx.json"));
const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
for (const name of bills) {
  const error = await validator.validate(readFileSync(`${dist}/${name}`, "utf8"));
  if (error !== null) {
    console.error(name, error);
    wrong++;
  }
}
if (bills.length === 0) {
  console.error("no bill of materials in", dist);
  wrong++;
}
process.exit(wrong > 0 ? 1 : 0);
