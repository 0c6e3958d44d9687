import type { Endpoint } from "../../api/endpoint.ts";
import { isRequired, type Parameter } from "../../api/request/parameters.ts";
import { type Html, html } from "../html.ts";
import type { Example } from "./example.ts";

/** Asks the API itself. With scripts the answer is shown below it, and what the path names can be changed too. */
export const tryForm = ({ path, identifier, parameters }: Endpoint, example: Example): Html =>
  html`<form class="try" method="get" action="${example.path}"${
    identifier && html` data-path="${path}" data-named="${identifier.name}" data-target="${example.target}"`
  }>
${parameters.map((parameter) => field(parameter, example.query.get(parameter.name)))}
<button type="submit">Send</button></form>`;

function field(parameter: Parameter, shown: string | null): Html {
  const { name, kind } = parameter;
  const id = `try-${name}`;
  const label = html`<label for="${id}">${name}</label>`;
  const required = isRequired(parameter) && html` required`;
  if (kind === "integer" || kind === "decimal") {
    const fallback = "default" in parameter ? parameter.default : undefined;
    const { minimum, maximum } = parameter;
    return html`<span class="choice">${label}<input id="${id}" name="${name}" type="number" min="${minimum}"${
      maximum !== undefined && html` max="${maximum}"`
    }${kind === "decimal" && html` step="any"`} value="${shown ?? fallback ?? ""}"${required}></span>`;
  }
  const chosen = shown ?? ("default" in parameter ? parameter.default : "");
  const options = [
    kind === "choices" && html`<option value="">any</option>`,
    ...parameter.values.map(
      (value) => html`<option value="${value}"${value === chosen && html` selected`}>${value}</option>`,
    ),
  ];
  return html`<span class="choice">${label}<select id="${id}" name="${name}"${required}>${options}</select></span>`;
}
