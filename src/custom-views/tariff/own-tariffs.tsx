import { Button, Card } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { tariff, type Tariff } from '../../../contract/tariffs/tariff.ts'
import { useAction } from '../../data/use-action.ts'
import { t as tNow, useT } from '../../lib/i18n/i18n.ts'
import { useMay } from '../../data/session.ts'
import { confirm } from '../../ui/page/dialogs.ts'
import { ListSkeleton, LoadFailed, EmptyState } from '../../ui/page/states.tsx'
import { TariffEditor } from './tariff-editor.tsx'
import page from '../../ui/page/page.module.css'
import styles from './tariff.module.css'
import { tariffAddress } from './use-tariff-address.ts'
import { useTariffs } from './use-tariff.ts'

export function OwnTariffs({ homeId }: { homeId: string }) {
  const t = useT()
  const query = useTariffs()
  const mayAdd = useMay('electricity', 'Create')
  const mayChange = useMay('electricity', 'Update')
  const mayRemove = useMay('electricity', 'Delete')
  const { busy, run } = useAction(tariff.operations.remove)
  const [editing, edit] = useState<Tariff | 'new'>()
  if (editing)
    return (
      <TariffEditor
        key={editing === 'new' ? 'new' : editing.TariffID}
        tariff={editing === 'new' ? undefined : editing}
        close={() => edit(undefined)}
      />
    )
  const add = mayAdd && (
    <Button type="primary" onClick={() => edit('new')}>
      {t('tariff:own.add')}
    </Button>
  )
  const remove = (removed: Tariff) =>
    confirm({
      title: t('tariff:own.removeTitle', { name: removed.TariffName }),
      content: t('tariff:own.removeText'),
      okText: t('tariff:home.remove'),
      okButtonProps: { danger: true },
      cancelText: t('screens:cancel'),
      onOk: () => run({ TariffID: removed.TariffID }, () => tNow('tariff:saved')),
    })
  return (
    <Card title={t('tariff:tabs.own')} extra={(query.data?.length ?? 0) > 0 && add}>
      {(query.data?.length ?? 0) > 0 && (
        <p className={page.note}>
          {t('tariff:own.use')} <Link to={tariffAddress(homeId, 'home')}>{t('tariff:tabs.home')}</Link>
        </p>
      )}
      {query.data ? (
        query.data.length === 0 ? (
          <EmptyState why={t(mayAdd ? 'tariff:own.none' : 'tariff:own.noneAsk')} next={add} />
        ) : (
          <ul className={styles.list}>
            {query.data.map((ownTariff) => (
              <li key={ownTariff.TariffID} className={`${page.spread} ${styles.item}`}>
                <span>
                  {ownTariff.TariffName}
                  <br />
                  <small className={page.note}>
                    {ownTariff.Versions.map(({ ValidFrom }) => ValidFrom).join(' · ')}
                  </small>
                </span>
                <span className={`${page.row} ${styles.row}`}>
                  {mayChange && <Button onClick={() => edit(ownTariff)}>{t('tariff:edit')}</Button>}
                  {mayRemove && (
                    <Button danger disabled={busy} onClick={() => remove(ownTariff)}>
                      {t('tariff:home.remove')}
                    </Button>
                  )}
                </span>
              </li>
            ))}
          </ul>
        )
      ) : query.error ? (
        <LoadFailed error={query.error} retry={() => void query.refetch()} />
      ) : (
        <ListSkeleton />
      )}
    </Card>
  )
}
