import type { Log } from '../../gateway/kernel/ports.ts'

export interface LogLine {
  level: 'info' | 'warn' | 'error'
  fields: Record<string, unknown>
  text: string
}

/** Log that records its lines. */
export interface LogBook extends Log {
  lines: LogLine[]
}

export function createLogBook(lines: LogLine[] = [], bindings: object = {}): LogBook {
  const write = (level: LogLine['level']) => (fields: object, text: string) =>
    void lines.push({ level, fields: { ...bindings, ...fields }, text })
  return {
    lines,
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    child: (more) => createLogBook(lines, { ...bindings, ...more }),
  }
}
