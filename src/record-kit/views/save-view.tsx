import type { FC } from 'react'
import type { SavedView } from '../../../contract/people/personal-calls.ts'
import { t, useT } from '../../lib/i18n/i18n.ts'
import { notices } from '../../data/notices.ts'
import { changeSavedViews, usePersonalConfig } from '../../data/personal.ts'
import { ViewNameDialog } from './name-dialog.tsx'

/** Saves the filters and order of the address under a name. */
const SaveView: FC<{ view: Omit<SavedView, 'Name'>; close: () => void }> = ({ view, close }) => {
  const words = useT()
  const { SavedViews } = usePersonalConfig()
  return (
    <ViewNameDialog
      title={words('lists:views.saveTitle')}
      initial=""
      usedNames={SavedViews.filter(({ List }) => List === view.List).map(({ Name }) => Name)}
      save={async (Name) => {
        await changeSavedViews((views) => [...views, { ...view, Name }])
        notices.success(() => t('lists:views.saved', { name: Name }))
      }}
      close={close}
    />
  )
}
export default SaveView
