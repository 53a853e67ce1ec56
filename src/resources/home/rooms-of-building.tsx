import { Radio, Select } from 'antd'
import { useState, type FC } from 'react'
import { MOST_ROOMS_AT_ONCE } from '../../../contract/homes/home.ts'
import { t as words, useT, type TKey } from '../../lib/i18n/i18n.ts'
import page from '../../ui/page/page.module.css'
import { BUILDING_KINDS, PROPOSED, type BuildingKind } from './room-proposals.ts'

interface Props {
  id?: string
  value?: readonly string[]
  onChange?: (rooms: string[]) => void
}

const proposalsFor = (kind: BuildingKind) =>
  Array.from({ length: PROPOSED[kind] }, (_, i) =>
    words(`resources:home.proposals.${kind}.r${i + 1}` as TKey),
  )

/** The rooms of a new home: proposed by the kind of building, and to be changed before they are made. */
export const RoomsOfBuilding: FC<Props> = ({ id, value = [], onChange }) => {
  const t = useT()
  const [kind, setKind] = useState<BuildingKind>()
  return (
    <div className={page.tightStack}>
      <Radio.Group
        aria-label={t('resources:home.kindOfBuilding')}
        value={kind ?? null}
        onChange={({ target }) => {
          const next = target.value as BuildingKind
          setKind(next)
          onChange?.(proposalsFor(next))
        }}
        options={BUILDING_KINDS.map((each) => ({ value: each, label: t(`resources:home.kinds.${each}`) }))}
      />
      <Select
        mode="tags"
        {...(id !== undefined && { id })}
        value={[...value]}
        maxCount={MOST_ROOMS_AT_ONCE}
        tokenSeparators={[',', '，', '、', '\n']}
        placeholder={t('resources:home.roomsPlaceholder')}
        open={false}
        suffixIcon={null}
        onChange={(next: string[]) => onChange?.(next.map((room) => room.trim()).filter(Boolean))}
      />
    </div>
  )
}
