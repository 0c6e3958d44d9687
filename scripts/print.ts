interface Plan {
  requests: number;
  seconds: number;
  endpoints: Record<string, number>;
}

/** The plan as one JSON object, or as a table for people. */
export function printPlan(plan: Plan, rate: number, json: boolean) {
  if (json) {
    process.stdout.write(`${JSON.stringify(plan)}\n`);
    return;
  }
  const rows = Object.entries(plan.endpoints).map(([path, count]) => `${String(count).padStart(8)}  ${path}`);
  const minutes = Math.ceil(plan.seconds / 60);
  const total = `${String(plan.requests).padStart(8)}  requests, about ${minutes} minutes at ${rate} a second`;
  process.stdout.write(`${[...rows, total].join("\n")}\n`);
}
