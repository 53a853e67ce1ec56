/**
 * Runs each step after the one before, also when that failed, so that one part that cannot end keeps none from ending.
 *
 * @throws AggregateError with every failure, after the last step.
 */
export async function closeAll(steps: readonly (() => Promise<void> | void)[]): Promise<void> {
  const failures: unknown[] = []
  for (const step of steps)
    try {
      await step()
    } catch (error) {
      failures.push(error)
    }
  if (failures.length > 0) throw new AggregateError(failures, 'Not everything could be closed')
}
