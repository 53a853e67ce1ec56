import type { ResourceName } from '../../contract/index.ts'
import { useT } from '../lib/i18n/i18n.ts'
import { SearchBox } from '../ui/inputs/search-box.tsx'
import styles from './list/list.module.css'
import type { RecordScreen } from './screen.ts'
import type { useListParams } from './use-list-address.ts'

interface Props<N extends ResourceName> {
  screen: Pick<RecordScreen<N>, 'search'>
  address: Pick<ReturnType<typeof useListParams>, 'search' | 'change'>
}

/** What is typed is searched for in rows that are all here, in ms. */
const LOCAL_DEBOUNCE_MS = 60

/** The search of a record's list, which stands in the address. */
export function RecordSearch<N extends ResourceName>({ screen, address }: Props<N>) {
  const t = useT()
  return (
    <SearchBox
      value={address.search}
      search={(q) => address.change({ q })}
      label={screen.search?.() ?? t('screens:list.search')}
      {...(!screen.search && { pause: LOCAL_DEBOUNCE_MS, className: styles.search })}
    />
  )
}
