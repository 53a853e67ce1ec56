/** Fetches the time chart and its drawing library in parallel, for a screen that first renders without them. */
export async function fetchTimeChart() {
  // The chart requests it again, and handles the failure.
  import('./plot.ts').catch(() => {})
  return { default: (await import('./time-chart.tsx')).TimeChart }
}
