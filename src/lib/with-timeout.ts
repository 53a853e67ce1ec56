/** How long the code of a screen may take to come, in ms (§9). */
export const CODE_TIMEOUT_MS = 120_000

/** The code of a screen did not come in time. */
export class CodeTimeout extends Error {}

/** Fetches a part of the application; rejects with CodeTooSlow when it has not come in time. */
export async function withTimeout<T>(load: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new CodeTimeout()), CODE_TIMEOUT_MS)
  })
  try {
    return await Promise.race([load(), late])
  } finally {
    clearTimeout(timer)
  }
}
