import type { Pages } from "../../../snapshot/read/shown.ts";
import type { PagesOptions } from "../pages.ts";
import { ROUTES_FOR_PEOPLE } from "./routes.ts";

/**
 * The pages, a quarter of all that a server loads: read when a person first asks. A mirror that only programs ask starts sooner and
 * stays smaller.
 */
export function pagesOnDemand(options: PagesOptions): Pages {
  let loaded: Pages | undefined;

  function pages(): Pages {
    if (!loaded) throw new Error("the pages are not loaded");
    return loaded;
  }

  async function loadPages() {
    const { createPages } = await import("../pages.ts");
    loaded ??= createPages(options);
  }

  return {
    routes: ROUTES_FOR_PEOPLE,
    load: () => (loaded ? undefined : loadPages()),
    find: (request) => pages().find(request),
    describeError: (refused) => pages().describeError(refused),
  };
}
