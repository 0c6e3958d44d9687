import axe from "axe-core";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";

/** Debian's chromium without windows: it takes a third of the processor time of the one that has them. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: "/usr/bin/chromium-headless-shell",
    args: ["--no-sandbox", "--disable-dev-shm-usage", "--font-render-hinting=none"],
  });

/**
 * A page in a browser, with all that is wrong with it so far and the paths that it asked the mirror for. Pictures of heroes lie on a
 * foreign host and are let fail; any other foreign request is a fault.
 */
export async function openWatched(browser: Browser, url: string, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ baseURL: url, locale: "en", ...options });
  const page = await context.newPage();
  const faults: string[] = [];
  const asked: string[] = [];
  await context.route(
    (address) => address.origin !== new URL(url).origin,
    (route) => {
      const request = route.request();
      if (request.resourceType() !== "image") faults.push(`asks ${request.url()}`);
      return route.abort();
    },
  );
  page.on("request", (request) => {
    const address = new URL(request.url());
    if (address.origin === new URL(url).origin) asked.push(address.pathname);
  });
  page.on("pageerror", (error) => faults.push(`throws ${error.message}`));
  page.on("console", (message) => {
    // A picture that fails is told by the browser itself.
    if (message.type() === "error" && !message.text().includes("ERR_FAILED")) faults.push(`says ${message.text()}`);
  });
  return { page, faults, asked, [Symbol.asyncDispose]: () => context.close() };
}

/** Opens a page and waits until its scripts have added what they add, which a busy machine does long after the last answer. */
export async function openSettled(page: Page, path: string): Promise<void> {
  await page.goto(path, { waitUntil: "networkidle" });
  await page.locator("[aria-busy=true]").waitFor({ state: "detached" });
}

/**
 * Finds what breaks a rule on a page, WCAG 2.2 AA or a good practice: the rule, and the first element. A script tag would be against the
 * policy.
 */
export async function findBarriers(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: typeof import("axe-core") };
    const { violations } = await axe.run({ rules: { "target-size": { enabled: true } } });
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`);
  });
}
