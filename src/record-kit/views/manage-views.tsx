import { DeleteOutlined, EditOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState, type FC } from 'react'
import type { SavedView } from '../../../contract/people/personal-calls.ts'
import type { ViewedList } from '../../../contract/lists/list-query.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { changeSavedViews, usePersonalConfig } from '../../data/personal.ts'
import { confirmRemoval } from '../../ui/page/confirm-removal.tsx'
import { EmptyState } from '../../ui/page/states.tsx'
import { ViewNameDialog } from './name-dialog.tsx'
import page from '../../ui/page/page.module.css'
import { Modal } from '../../ui/page/dialog.tsx'

const isSameView = (a: SavedView, b: SavedView) =>
  a.List === b.List && a.Name === b.Name && a.Query === b.Query && a.HomeID === b.HomeID

interface Props {
  list: ViewedList
  /** Text of a view's filters and order. */
  describe: (view: SavedView) => string
  close: () => void
}

/** Dialog to rename and delete the saved views of a list. */
const ManageViews: FC<Props> = ({ list, describe, close }) => {
  const t = useT()
  const views = usePersonalConfig().SavedViews.filter(({ List }) => List === list)
  const [renamed, setRenamed] = useState<SavedView>()
  return (
    <Modal open title={t('lists:views.title')} footer={null} onCancel={close}>
      {views.length === 0 && <EmptyState message={t('lists:views.none')} />}
      <ul className={page.rows}>
        {views.map((view, i) => (
          <li className={page.tightRow} key={i}>
            <span className={`${page.field} ${page.grow} ${page.words}`}>
              <strong>{view.Name}</strong>
              <span>{describe(view)}</span>
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
                  remove: () =>
                    changeSavedViews((all) => all.filter((savedView) => !isSameView(savedView, view))),
                })
              }
            />
          </li>
        ))}
      </ul>
      {renamed && (
        <ViewNameDialog
          title={t('lists:views.rename', { name: renamed.Name })}
          initial={renamed.Name}
          usedNames={views.filter((view) => !isSameView(view, renamed)).map(({ Name }) => Name)}
          save={(Name) =>
            changeSavedViews((all) =>
              all.map((savedView) => (isSameView(savedView, renamed) ? { ...savedView, Name } : savedView)),
            )
          }
          close={() => setRenamed(undefined)}
        />
      )}
    </Modal>
  )
}
export default ManageViews
