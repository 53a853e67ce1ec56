/** Fetches the chart over time and what it draws with beside each other, for a screen whose first picture does without. */
export async function fetchTimeChart() {
  // The chart asks for it again, and deals with the failure.
  import('./plot.ts').catch(() => {})
  return { default: (await import('./time-chart.tsx')).TimeChart }
}
