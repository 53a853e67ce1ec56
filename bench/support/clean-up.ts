type Task = () => Promise<void> | void

const tasks: Task[] = []

/** Registers a task for the end of the measurement, successful or not; the last one runs first. */
export const atEnd = (task: Task): void => void tasks.push(task)

/** Runs all tasks registered with `atEnd`. A failed task does not stop the others. */
export async function cleanUp(): Promise<void> {
  for (let task = tasks.pop(); task; task = tasks.pop())
    try {
      await task()
    } catch (error) {
      console.error('Cleaning up:', error)
    }
}
