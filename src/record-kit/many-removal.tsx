import type { ResourceName } from '../../contract/index.ts'
import { useT } from '../lib/i18n/i18n.ts'
import { idOf } from '../providers/data.ts'
import { ItemFailed } from './bulk/bulk-run.ts'
import { RemovalBar } from './bulk/removal-bar.tsx'
import type { AnyRow, RowOf } from './resource-types.ts'
import type { RecordScreen } from './screen.ts'
import { useDeleteOne } from './use-remove.tsx'

interface Props<N extends ResourceName> {
  screen: Pick<RecordScreen<N>, 'resource' | 'remove'>
  rows: readonly RowOf<N>[]
  nameOf: (row: RowOf<N>) => string
  clear: () => void
}

/** Bulk bar that deletes the selected records. */
export function ManyRemoval<N extends ResourceName>({ screen, rows, nameOf, clear }: Props<N>) {
  const t = useT()
  const { resource, remove = {} } = screen
  const deleteOne = useDeleteOne(resource)
  return (
    <RemovalBar
      items={rows.map((row) => ({ id: idOf(resource, row as AnyRow), name: nameOf(row) }))}
      consequence={remove.bulkConsequence?.() ?? t('screens:remove.final')}
      breaks={remove.breaks?.(rows)}
      remove={async ({ id, name }) => {
        try {
          await deleteOne(id)
        } catch (error) {
          const why = remove.staysBecause?.(name, error)
          throw why ? new ItemFailed(why) : error
        }
      }}
      clear={clear}
    />
  )
}
