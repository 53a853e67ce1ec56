/**
 * Runs the steps one after the other, even if one fails, so that every part is closed.
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
