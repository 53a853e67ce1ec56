import { DeleteOutlined, EditOutlined } from '@ant-design/icons'
import { Button, Modal } from 'antd'
import { useState, type FC } from 'react'
import type { SavedView } from '../../../../contract/procedures/personal.ts'
import { readListQuery } from '../../../../contract/rules/list-query.ts'
import { useHomes } from '../../../providers/homes.ts'
import { useT } from '../../../providers/i18n.ts'
import { changeSavedViews, usePersonalConfig } from '../../../providers/personal.ts'
import { useConfirmRemoval } from '../../../ui/crud/confirm-removal.tsx'
import { Nothing } from '../../../ui/crud/states.tsx'
import { NameDialog } from './name-dialog.tsx'
import styles from './views.module.css'

const same = (a: SavedView, b: SavedView) => a.Name === b.Name && a.Query === b.Query && a.HomeID === b.HomeID

/** The saved views one under another, to rename and to delete. */
const ManageViews: FC<{ close: () => void }> = ({ close }) => {
  const t = useT()
  const { SavedViews } = usePersonalConfig()
  const confirmRemoval = useConfirmRemoval()
  const inWords = useViewWords()
  const [renamed, setRenamed] = useState<SavedView>()
  return (
    <Modal open title={t('lists:views.title')} footer={null} onCancel={close}>
      {SavedViews.length === 0 && <Nothing why={t('lists:views.none')} />}
      <ul className={styles.views}>
        {SavedViews.map((view, i) => (
          <li key={i}>
            <span className={styles.words}>
              <strong>{view.Name}</strong>
              <span>{inWords(view)}</span>
            </span>
            <Button
              type="text"
              icon={<EditOutlined />}
              aria-label={t('lists:views.rename', { name: view.Name })}
              title={t('lists:views.rename', { name: view.Name })}
              onClick={() => setRenamed(view)}
            />
            <Button
              type="text"
              icon={<DeleteOutlined />}
              aria-label={t('lists:views.remove', { name: view.Name })}
              title={t('lists:views.remove', { name: view.Name })}
              onClick={() =>
                confirmRemoval({
                  name: view.Name,
                  consequence: t('lists:views.consequence'),
                  remove: () => changeSavedViews((views) => views.filter((one) => !same(one, view))),
                })
              }
            />
          </li>
        ))}
      </ul>
      {renamed && (
        <NameDialog
          title={t('lists:views.rename', { name: renamed.Name })}
          initial={renamed.Name}
          taken={SavedViews.filter((view) => !same(view, renamed)).map(({ Name }) => Name)}
          save={(Name) =>
            changeSavedViews((views) => views.map((one) => (same(one, renamed) ? { ...one, Name } : one)))
          }
          close={() => setRenamed(undefined)}
        />
      )}
    </Modal>
  )
}
export default ManageViews

/** What a view shows, e.g. 「燈」 · 電燈開關 · 總部 · 走廊 · 依房間. */
function useViewWords(): (view: SavedView) => string {
  const t = useT()
  const homes = useHomes()
  return ({ Query, HomeID }) => {
    const { search, kind, RoomID, sort, descending } = readListQuery(Query)
    const home = homes?.find((one) => one.HomeID === HomeID)
    const column = t(`devices:columns.${sort}`)
    return [
      search && t('lists:views.search', { search }),
      kind && t(`devices:categories.${kind}`),
      home?.HomeName,
      home?.RoomList.find((room) => room.RoomID === RoomID)?.RoomName,
      descending
        ? t('lists:views.descending', { column })
        : sort !== 'name' && t('lists:views.by', { column }),
    ]
      .filter(Boolean)
      .join(' · ')
  }
}
