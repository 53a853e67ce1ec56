import { Button } from 'antd'
import type { ResourceName } from '../../contract/index.ts'
import { useT } from '../lib/i18n/i18n.ts'
import type { RowOf } from './resource-types.ts'
import type { RemoveSpec } from './screen.ts'
import { useMayDo } from './use-may-do.ts'
import { useRemove } from './use-remove.tsx'

interface Props<N extends ResourceName> {
  resource: N
  /** Record as returned by the list call. */
  row: RowOf<N>
  name: string
  remove: RemoveSpec<RowOf<N>>
  done: () => void
}

/** Button that deletes the record of a page after a confirmation; hidden without the right. */
export function RemoveButton<N extends ResourceName>({ resource, row, name, remove, done }: Props<N>) {
  const t = useT()
  const confirmRemoval = useMayDo(resource, row)
  const ask = useRemove(resource, remove)
  return (
    confirmRemoval.remove && (
      <Button danger onClick={() => ask({ row, name, done })}>
        {t('screens:remove.ok')}
      </Button>
    )
  )
}
