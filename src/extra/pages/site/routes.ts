/** The templates of the paths of all pages: known before the pages themselves, which are loaded when one is asked for. */
const PAGE_ROUTES = [
  "/",
  "/tiers",
  "/heroes",
  "/trends",
  "/matchups",
  "/draft",
  "/compare",
  "/heroes/{id}",
  "/changes",
  "/data",
  "/sql",
  "/docs",
] as const;

export type PageRoute = (typeof PAGE_ROUTES)[number];

export const ASSETS_ROUTE = "/assets/{name}";

/** The paths at which browsers and phones look for an icon by themselves. */
export const ICON_ROUTES: readonly string[] = ["/favicon.ico", "/apple-touch-icon.png"];

export const ROBOTS_ROUTE = "/robots.txt";
export const SITEMAP_ROUTE = "/sitemap.xml";

/** All paths that lead to something that people, browsers or search engines look at. */
export const ROUTES_FOR_PEOPLE = [...PAGE_ROUTES, ASSETS_ROUTE, ...ICON_ROUTES, ROBOTS_ROUTE, SITEMAP_ROUTE];
