/** Timeout for loading the code of a screen, in ms (§9). */
export const CODE_TIMEOUT_MS = 120_000

/** Thrown if the code of a screen was not loaded in time. */
export class CodeTimeout extends Error {}

/** Loads a part of the application; rejects with CodeTimeout if that takes too long. */
export async function withTimeout<T>(load: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new CodeTimeout()), CODE_TIMEOUT_MS)
  })
  try {
    return await Promise.race([load(), timeout])
  } finally {
    clearTimeout(timer)
  }
}
