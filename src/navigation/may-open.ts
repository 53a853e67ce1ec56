import {
  decide,
  may,
  type Access,
  type PermissionSubject,
  SOMEWHERE,
} from '../../contract/kernel/permissions.ts'
import { paths, type PathName } from './paths.ts'

/** Missing right to open a page, or true (§6: Read on any of the page's features; open to all without features). */
export function mayOpen(name: PathName, subject: PermissionSubject | undefined): ReturnType<typeof decide> {
  const { features, operation = 'Read' } = paths[name]
  const [first] = features
  if (!first) return decide('signed-in', subject, SOMEWHERE)
  const access: Access = { feature: first, operation }
  if (subject && features.some((feature) => may(subject, feature, operation, SOMEWHERE))) return true
  return decide(access, subject, SOMEWHERE)
}
