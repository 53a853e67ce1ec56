import { useState } from 'react'
import { type PlaceFact, placeFacts } from '../../../../contract/homes/place-facts-calls.ts'
import { PLACE_FACTS } from '../../../../contract/homes/place-facts.ts'
import { call } from '../../../data/api.ts'
import { useMay } from '../../../data/session.ts'
import { useAction } from '../../../data/use-action.ts'
import { t as tNow, useT } from '../../../lib/i18n/i18n.ts'
import { confirmRemoval } from '../../../ui/page/confirm-removal.tsx'
import page from '../../../ui/page/page.module.css'
import { usePhone } from '../../../ui/page/use-phone.ts'
import { FactHistory } from '../facts/fact-history.tsx'
import { UndoLine } from '../facts/undo-line.tsx'
import { useSinceWords } from '../facts/use-since-words.ts'
import { usePlaceWords } from './use-place-words.ts'
import { Drawer } from '../../../ui/dialog/dialog.tsx'

interface Props {
  homeId: string
  name: string
  facts: readonly PlaceFact[]
  close: () => void
}

/** History of a site's or room's facts, with first day and author; each can be deleted and restored. */
export function PlaceDrawer({ homeId, name, facts, close }: Props) {
  const t = useT()
  const phone = usePhone()
  const mayRemove = useMay('electricity', 'Delete')
  const words = usePlaceWords()
  const since = useSinceWords()
  const [removed, setRemoved] = useState<PlaceFact>()
  const { busy, run } = useAction(placeFacts.setPlaceFact)
  const sentence = (one: PlaceFact) => t('meters:facts.said', { what: words(one), since: since(one.From) })
  const remove = (one: PlaceFact) =>
    confirmRemoval({
      name: sentence(one),
      consequence: t('meters:facts.removeText'),
      remove: async () => {
        const { RoomID, Fact, From } = one
        await call(placeFacts.deletePlaceFact, { HomeID: homeId, RoomID, Fact, From })
        setRemoved(one)
      },
    })
  const putBack = async ({ RoomID, Fact, From, Value }: PlaceFact) => {
    if (await run({ HomeID: homeId, RoomID, Fact, From, Value }, () => tNow('meters:facts.undone')))
      setRemoved(undefined)
  }
  return (
    <Drawer
      open
      onClose={close}
      placement={phone ? 'bottom' : 'right'}
      {...(phone ? { height: '88dvh' } : { width: 480 })}
      title={t('meters:facts.title', { name })}
      closable={{ 'aria-label': t('screens:close') }}
    >
      <div className={page.stack}>
        {removed && <UndoLine what={sentence(removed)} busy={busy} undo={() => void putBack(removed)} />}
        {PLACE_FACTS.map((fact) => {
          const of = facts.filter(({ Fact }) => Fact === fact)
          return (
            <FactHistory
              key={fact}
              title={t(`meters:places.facts.${fact}`)}
              none={t('meters:places.unsaid')}
              rows={of.map((one) => ({
                ...one,
                text: words(one),
                // Restoring an entry without a first day would replace all later ones, so it can be deleted only if it is alone.
                ...(mayRemove && (one.From !== null || of.length === 1) && { remove: () => remove(one) }),
              }))}
            />
          )
        })}
      </div>
    </Drawer>
  )
}
