import { Form, Input, Radio, Select } from 'antd'
import { COUNT_NEAR_LIMIT } from '../../../../ui/inputs/near-limit.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { HomeWithRooms } from '../../../../../contract/homes/home.ts'
import {
  CARDS,
  CHART_SPANS,
  MAX_NOTE_LENGTH,
  type ChartSpan,
  MAX_ITEMS_PER_CARD,
  type CardKind,
  type CardPlace,
} from '../../../../../contract/dashboards/cards.ts'
import { useT, loadNamespaces } from '../../../../lib/i18n/i18n.ts'
import { holdsLabel } from '../../../../lib/match-words.ts'
import { scene } from '../../../../../contract/automation/scene.ts'
import { callQuery } from '../../../../data/api.ts'
import { describeFailure } from '../../../../data/failure.ts'
import { MAX_HISTORY_SERIES, type HistoryPick } from '../../../../../contract/devices/history-calls.ts'
import { formatPick, parsePicks } from '../../../../domain/history/picks.ts'
import { useQuantityWords } from '../../../../domain/history/quantity-words.ts'
import { quantitiesQuery } from '../../../../domain/history/use-history.ts'
import { drawnFields } from '../../../../../contract/devices/kinds/field-shape.ts'
import { useDevices } from '../../../../data/homes.ts'
import { useDeviceFieldWords } from '../../../../domain/devices/field-words.ts'
import { linesOf } from '../../common/overview.ts'

interface Props {
  draft: Draft
  homes: readonly HomeWithRooms[]
  change: (draft: Draft) => void
}

/** Value for all sites in the site selection. */
const ALL = ''
const MAX_TITLE_LENGTH = 64

/** Form fields of a card, from the schema of its kind. */
export function CardFields({ draft, homes, change }: Props) {
  const t = useT()
  const shape: Readonly<Record<string, unknown>> = CARDS[draft.Kind].shape
  const has = (field: string) => field in shape
  const { HomeID, Title, Text, Span, RoomID } = draft
  const set = (part: Partial<Draft>) => change({ ...draft, ...part })
  const home = homes.find((candidate) => candidate.HomeID === HomeID)
  // Choices that belong to one site are cleared when the site changes.
  const move = (to: string | null) => {
    const {
      PeripheralUID: _1,
      Field: _2,
      Quantities: _3,
      RoomID: _4,
      PeripheralUIDs: _5,
      SceneIDs: _6,
      ...rest
    } = draft
    change({ ...rest, HomeID: to })
  }
  const mayBeAll = has('HomeID') && CARDS[draft.Kind].safeParse({ ...draft, HomeID: null }).success
  const { Title: _title, ...untitled } = draft
  return (
    <Form layout="vertical" component="div">
      {has('HomeID') && (homes.length > 1 || mayBeAll) && (
        <Form.Item label={t('cards:site')} htmlFor="card-home">
          <Select
            id="card-home"
            showSearch
            filterOption={holdsLabel}
            value={HomeID ?? ALL}
            onChange={(value) => move(value === ALL ? null : value)}
            options={[
              ...(mayBeAll ? [{ value: ALL, label: t('boards:allSites') }] : []),
              ...homes.map((option) => ({ value: option.HomeID, label: option.HomeName })),
            ]}
          />
        </Form.Item>
      )}
      {has('RoomID') && home && (
        <Form.Item label={t('boards:fields.room')} htmlFor="card-room">
          <Select
            id="card-room"
            showSearch
            filterOption={holdsLabel}
            value={RoomID ?? null}
            onChange={(value: number | null) => value !== null && set({ RoomID: value })}
            options={home.RoomList.map((room) => ({ value: room.RoomID, label: room.RoomName }))}
          />
        </Form.Item>
      )}
      {has('PeripheralUID') && home && (
        <>
          <DeviceChoice home={home} draft={draft} set={set} />
          <FieldChoice home={home} draft={draft} set={set} />
        </>
      )}
      {has('PeripheralUIDs') && home && <DevicesChoice home={home} draft={draft} set={set} />}
      {has('Quantities') && home && <QuantityChoice home={home} draft={draft} set={set} />}
      {has('Span') && (
        <Form.Item label={t('boards:fields.span')}>
          <Radio.Group
            {...{ role: 'radiogroup' }}
            aria-label={t('boards:fields.span')}
            optionType="button"
            value={Span}
            onChange={({ target }) => set({ Span: target.value as ChartSpan })}
            options={CHART_SPANS.map((value) => ({ value, label: t(`boards:chart.${value}`) }))}
          />
        </Form.Item>
      )}
      {has('SceneIDs') && home && <SceneChoice home={home} draft={draft} set={set} />}
      {has('Text') && (
        <Form.Item label={t('boards:fields.text')} htmlFor="card-text">
          <Input.TextArea
            id="card-text"
            rows={4}
            showCount={COUNT_NEAR_LIMIT}
            maxLength={MAX_NOTE_LENGTH}
            value={Text ?? ''}
            onChange={({ target }) => set({ Text: target.value })}
          />
        </Form.Item>
      )}
      <Form.Item label={t('boards:fields.title')} htmlFor="card-title">
        <Input
          id="card-title"
          maxLength={MAX_TITLE_LENGTH}
          placeholder={t(`boards:kinds.${draft.Kind}.name`)}
          value={Title ?? ''}
          onChange={({ target }) =>
            change(target.value === '' ? untitled : { ...draft, Title: target.value })
          }
        />
      </Form.Item>
    </Form>
  )
}

function SceneChoice({ home: { HomeID }, draft, set }: ChoiceProps) {
  const t = useT()
  const query = useQuery(callQuery(scene.operations.list, { HomeID }))
  return (
    <Form.Item label={t('boards:fields.scenes', { most: MAX_ITEMS_PER_CARD })} htmlFor="card-scenes">
      <Select
        id="card-scenes"
        mode="multiple"
        filterOption={holdsLabel}
        maxCount={MAX_ITEMS_PER_CARD}
        loading={query.isPending}
        notFoundContent={query.error && !query.data ? describeFailure(query.error) : t('boards:noScenes')}
        value={draft.SceneIDs ?? []}
        onChange={(SceneIDs: string[]) => set({ SceneIDs })}
        options={query.data?.map(({ SceneID, SceneName }) => ({ value: SceneID, label: SceneName }))}
      />
    </Form.Item>
  )
}

function QuantityChoice({ home, draft, set }: ChoiceProps) {
  const t = useT()
  const words = useQuantityWords()
  const [hasWords, setHasWords] = useState(false)
  useEffect(() => {
    void loadNamespaces(['history']).then(() => setHasWords(true))
  }, [])
  const query = useQuery(quantitiesQuery(home.HomeID))
  const options = (hasWords ? (query.data ?? []) : []).flatMap((device) =>
    device.PeripheralName === null
      ? []
      : device.Quantities.map((quantity) => ({
          value: formatPick({ PeripheralUID: device.PeripheralUID, Field: quantity.Field }),
          label: t('boards:ofDevice', {
            device: device.PeripheralName ?? '',
            quantity: words.quantityName(device, quantity),
          }),
        })),
  )
  return (
    <Form.Item label={t('boards:fields.quantities', { most: MAX_HISTORY_SERIES })} htmlFor="card-quantities">
      <Select
        id="card-quantities"
        mode="multiple"
        filterOption={holdsLabel}
        maxCount={MAX_HISTORY_SERIES}
        loading={query.isPending}
        notFoundContent={query.error && !query.data ? describeFailure(query.error) : t('boards:noQuantities')}
        value={(draft.Quantities ?? []).map(formatPick)}
        onChange={(picks: string[]) => set({ Quantities: parsePicks(picks) })}
        options={options}
      />
    </Form.Item>
  )
}

/** A home's devices as options, each with its room; or the reason there are none. */
function useDeviceOptions({ HomeID, RoomList }: HomeWithRooms) {
  const t = useT()
  const query = useDevices(HomeID)
  const rows = (query.data ? linesOf(query.data) : []).filter(({ device }) => device)
  return {
    rows,
    loading: query.isPending,
    notFoundContent: query.error && !query.data ? describeFailure(query.error) : t('boards:noDevices'),
    options: rows.map(({ id, name, RoomID }) => ({
      value: id,
      label: t('boards:inRoom', {
        device: name,
        room: RoomList.find((room) => room.RoomID === RoomID)?.RoomName ?? '',
      }),
    })),
  }
}

function DeviceChoice({ home, draft, set }: ChoiceProps) {
  const t = useT()
  const { loading, options, notFoundContent } = useDeviceOptions(home)
  const { Field: _field, ...rest } = draft
  return (
    <Form.Item label={t('boards:fields.device')} htmlFor="card-device">
      <Select
        id="card-device"
        showSearch
        filterOption={holdsLabel}
        loading={loading}
        notFoundContent={notFoundContent}
        value={draft.PeripheralUID ?? null}
        onChange={(PeripheralUID: string | null) =>
          PeripheralUID !== null && set({ ...rest, Field: undefined as never, PeripheralUID })
        }
        options={options}
      />
    </Form.Item>
  )
}

function FieldChoice({ home, draft, set }: ChoiceProps) {
  const t = useT()
  const { rows } = useDeviceOptions(home)
  const { nameOf } = useDeviceFieldWords()
  const type = rows.find(({ id }) => id === draft.PeripheralUID)?.type
  const options = (type?.capabilities ?? []).flatMap((capability) =>
    drawnFields(capability).map((field) => ({ value: field, label: nameOf(capability, field) })),
  )
  return (
    <Form.Item label={t('boards:fields.quantity')} htmlFor="card-field">
      <Select
        id="card-field"
        showSearch
        filterOption={holdsLabel}
        disabled={!type}
        notFoundContent={t('boards:noQuantities')}
        value={draft.Field ?? null}
        onChange={(Field: string | null) => Field !== null && set({ Field })}
        options={options}
      />
    </Form.Item>
  )
}

function DevicesChoice({ home, draft, set }: ChoiceProps) {
  const t = useT()
  const { loading, options, notFoundContent } = useDeviceOptions(home)
  return (
    <Form.Item label={t('boards:fields.devices', { most: MAX_ITEMS_PER_CARD })} htmlFor="card-devices">
      <Select
        id="card-devices"
        mode="multiple"
        filterOption={holdsLabel}
        maxCount={MAX_ITEMS_PER_CARD}
        loading={loading}
        notFoundContent={notFoundContent}
        value={draft.PeripheralUIDs ?? []}
        onChange={(PeripheralUIDs: string[]) => set({ PeripheralUIDs })}
        options={options}
      />
    </Form.Item>
  )
}

/** A card that may be incomplete. */
export interface Draft extends CardPlace {
  Kind: CardKind
  HomeID?: string | null
  PeripheralUID?: string
  Field?: string
  Quantities?: HistoryPick[]
  Span?: ChartSpan
  RoomID?: number
  PeripheralUIDs?: string[]
  SceneIDs?: string[]
  Text?: string
}

/** Props of a field whose options belong to one site. */
interface ChoiceProps {
  home: HomeWithRooms
  draft: Draft
  set: (part: Partial<Draft>) => void
}
