import type { Notification } from '../../../contract/notifications/calls.ts'

/** Page that a notification links to; undefined without one, or if it is outside of the product. */
export const targetPathOf = ({ Path }: Pick<Notification, 'Path'>): string | undefined =>
  Path !== null && /^\/(?![/\\])/.test(Path) ? Path : undefined
