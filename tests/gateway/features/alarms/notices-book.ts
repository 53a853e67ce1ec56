import type { Notice, Tell } from '../../../../gateway/lib/notices.ts'

/** Keeps what people would be told, the oldest first. */
export function createNoticesBook(): {
  tell: Tell
  notices: Notice[]
  of(kind: Notice['kind']): Notice[]
  forget(): void
} {
  const notices: Notice[] = []
  return {
    notices,
    tell: async (_, told) => void notices.push(...told),
    of: (kind) => notices.filter((one) => one.kind === kind),
    forget: () => void notices.splice(0),
  }
}
