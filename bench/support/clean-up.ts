type Task = () => Promise<void> | void

const tasks: Task[] = []

/** Has `task` done when the measurement ends, however it ends; the last one first. */
export const atEnd = (task: Task): void => void tasks.push(task)

/** Does everything that `atEnd` was given. A task that fails does not keep the others. */
export async function cleanUp(): Promise<void> {
  for (let task = tasks.pop(); task; task = tasks.pop())
    try {
      await task()
    } catch (error) {
      console.error('Cleaning up:', error)
    }
}
