import { Tag } from 'antd'
import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { conferenceRoom } from '../../../contract/bookings/conference-room.ts'
import { callQuery } from '../../data/api.ts'
import { allDevicesQuery, useHomes, useCurrentHome } from '../../data/homes.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useMay, useSubject } from '../../data/session.ts'
import { pathTo } from '../../navigation/paths.ts'
import { hasScreen, personalPages } from '../offered-pages.ts'
import { runSceneAndNotify } from '../../live/run-scene.ts'
import { deviceType } from '../../../contract/devices/kinds/registry.ts'
import { search, searchIndex, type SearchHit, type SearchFacts } from './search-index.ts'
import { partsOf } from './search-parts.ts'
import { doAction, rememberAction, useActions } from './use-actions.ts'
import { useEntryLabel, useMenu } from '../side-menu.tsx'
import { useSettledSearch } from './use-settled-search.ts'
import { useNoControl } from '../../ui/inputs/no-control.ts'
import { isComposing } from '../../ui/inputs/on-enter.ts'
import { Modal } from '../../ui/page/dialog.tsx'
import { group } from '../../../contract/automation/group.ts'
import { scene } from '../../../contract/automation/scene.ts'

/** Groups and scenes of the current home that the user may read, and whether the user may run scenes. */
function useActs(): Pick<SearchFacts, 'groups' | 'scenes' | 'mayRun'> {
  const HomeID = useCurrentHome()?.HomeID
  const mayReadGroups = useMay('group', 'Read') && hasScreen('updateGroup')
  const mayReadScenes = useMay('scene', 'Read') && hasScreen('updateScene')
  const mayRun = useMay('device_control', 'Control')
  const groups = useQuery({
    ...callQuery(group.operations.list, { HomeID: HomeID ?? '' }),
    enabled: mayReadGroups && HomeID !== undefined,
  })
  const scenes = useQuery({
    ...callQuery(scene.operations.list, { HomeID: HomeID ?? '' }),
    enabled: mayReadScenes && HomeID !== undefined,
  })
  return { groups: groups.data ?? NONE, scenes: scenes.data ?? NONE, mayRun }
}

const NONE: never[] = []

/** Search over pages, homes, rooms, devices, groups, scenes, meeting rooms, people, employees and visitors. */
export function SearchDialog({ onClose }: { onClose: () => void }) {
  const t = useT()
  return (
    <Modal
      open
      onCancel={onClose}
      footer={null}
      title={t('search:title')}
      width={640}
      // Without the opening animation the field has the focus at once, and no key press is lost.
      transitionName=""
      maskTransitionName=""
      className="search-dialog"
    >
      <Search onClose={onClose} />
    </Modal>
  )
}

/** Whether a result sends a command to devices. */
const commands = ({ run, action }: SearchHit): boolean =>
  run !== undefined || (action !== undefined && ('room' in action.action || 'device' in action.action))

function Search({ onClose }: { onClose: () => void }) {
  const t = useT()
  const navigate = useNavigate()
  const id = useId()
  const { index, devices } = useIndex()
  const noControl = useNoControl()
  const actionsOf = useActions(devices)
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const answered = useSettledSearch(text)
  const indexHits = useMemo(() => search(index, text), [index, text])
  // Actions first; results of the gateway last, so that they do not move a result that the user is about to open.
  const results = useMemo(
    () => [
      ...actionsOf(text),
      ...indexHits,
      ...(answered.isOfText ? answered.hits : search(answered.hits, text)),
    ],
    [actionsOf, indexHits, answered.hits, answered.isOfText, text],
  )
  const active = results[Math.min(at, results.length - 1)]

  const reasonAgainst = (hit: SearchHit) => (commands(hit) ? noControl : undefined)

  useEffect(() => field.current?.focus(), [])

  function open(hit: SearchHit) {
    if (reasonAgainst(hit) !== undefined) return
    const { to, run, action } = hit
    onClose()
    if (action) {
      rememberAction(action)
      doAction(action, navigate)
    } else if (run) void runSceneAndNotify(run.HomeID, run.SceneID)
    else void navigate(to)
  }

  function onKey(event: KeyboardEvent) {
    // While an input method composes, Enter and the arrows choose among its candidates.
    if (isComposing(event)) return
    if (event.key === 'ArrowDown') setAt(Math.min(at + 1, results.length - 1))
    else if (event.key === 'ArrowUp') setAt(Math.max(at - 1, 0))
    else if (event.key === 'Enter' && active) open(active)
    else return
    event.preventDefault()
  }

  return (
    <div className="search">
      <input
        ref={field}
        className="search-input"
        role="combobox"
        aria-expanded={results.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={active && `${id}-${active.key.replace(/\s/g, '_')}`}
        aria-label={t('search:placeholder')}
        placeholder={t('search:placeholder')}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setAt(0)
        }}
        onKeyDown={onKey}
      />
      <ul id={`${id}-list`} role="listbox" aria-label={t('search:results')} className="search-results">
        {results.map((hit) => (
          <li
            key={hit.key}
            id={`${id}-${hit.key.replace(/\s/g, '_')}`}
            role="option"
            aria-selected={hit === active}
            aria-disabled={reasonAgainst(hit) !== undefined}
            onMouseMove={() => setAt(results.indexOf(hit))}
            onClick={() => open(hit)}
            onKeyDown={onKey}
          >
            <span className="search-title">{hit.title}</span>
            <span className="search-where">{reasonAgainst(hit) ?? hit.where}</span>
            <Tag>{t(`search:kind.${hit.kind}`)}</Tag>
          </li>
        ))}
      </ul>
      <p role="status" className="search-none">
        {answered.searching ? t('search:searching') : answered.failed ? t('search:failed') : ''}
      </p>
      {text.trim() && !answered.searching && results.length === 0 && (
        <p className="search-none">{t('search:none', { text })}</p>
      )}
      <p className="search-keys">{t('search:keys')}</p>
    </div>
  )
}

function useIndex() {
  const t = useT()
  const subject = useSubject()
  const menu = useMenu()
  const labelOf = useEntryLabel()
  const allHomes = useHomes()
  const homes = useMemo(() => allHomes ?? [], [allHomes])
  const mayDevices = useMay('device', 'Read')
  const mayReadMeetingRooms = useMay('conference_room', 'Read') && hasScreen('ConferenceRoomBooking')
  const acts = useActs()
  const devices = useQuery({
    ...allDevicesQuery,
    enabled: mayDevices,
  })
  const meetingRooms = useQuery({
    ...callQuery(conferenceRoom.operations.list, {}),
    enabled: mayReadMeetingRooms,
  })
  const index = useMemo(() => {
    const flat = menu.flatMap((entry) => entry.children ?? [entry]).filter((entry) => 'page' in entry.label)
    const personal = personalPages(subject).map((name) => ({
      title: t(`shell:pages.${name}`),
      to: pathTo(name),
    }))
    const pages = new Map(
      flat.flatMap(({ label, to }) =>
        'page' in label && to !== undefined ? [[label.page, to] as const] : [],
      ),
    )
    const parts = partsOf(pages).map(({ name, on, to }) => ({
      title: t(`search:parts.${name}`),
      where: t(`shell:pages.${on}`),
      to,
    }))
    return searchIndex({
      pages: [
        ...flat.map((entry) => ({ title: labelOf(entry), to: entry.to ?? '/' })),
        ...personal,
        ...parts,
      ],
      homes: mayDevices ? homes : [],
      devices: hasScreen('DeviceInfo') ? devices.data : undefined,
      categoryName: (type) => {
        const category = deviceType(type)?.category
        return category ? t(`shell:categories.${category}`) : ''
      },
      meetingRooms: meetingRooms.data ?? [],
      ...acts,
    })
    // `labelOf` and `t` return other texts only if the language changes, which changes `menu` or `t`.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [
    menu,
    homes,
    devices.data,
    meetingRooms.data,
    acts.groups,
    acts.scenes,
    acts.mayRun,
    mayDevices,
    subject,
    t,
  ])
  return { index, devices: devices.data }
}
