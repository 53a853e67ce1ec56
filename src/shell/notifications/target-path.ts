import type { Notification } from '../../../contract/notifications/calls.ts'

/** The page that a notification leads to; undefined where there is none, or it would lead out of the product. */
export const targetPathOf = ({ Path }: Pick<Notification, 'Path'>): string | undefined =>
  Path !== null && /^\/(?![/\\])/.test(Path) ? Path : undefined
