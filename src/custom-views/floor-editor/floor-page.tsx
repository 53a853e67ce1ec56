import { useMemo, useState, type KeyboardEvent } from 'react'
import { useParams } from 'react-router'
import { Alert, Button } from 'antd'
import { DeleteOutlined } from '@ant-design/icons'
import { useHomes } from '../../data/homes.ts'
import { usePageItem } from '../../data/page-item.ts'
import { useFloors } from '../../domain/floor/use-floors.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { pathTo } from '../../navigation/paths.ts'
import { Page } from '../../ui/page/page.tsx'
import page from '../../ui/page/page.module.css'
import { ListSkeleton, LoadFailed, EmptyState } from '../../ui/page/states.tsx'
import { usePhone } from '../../ui/page/use-screen.ts'
import { ButtonLink } from '../../ui/plain/plain-button.tsx'
import { type Floor, type FloorShape, floorCalls } from '../../../contract/homes/floor.ts'
import { SCALE } from '../../../contract/homes/shapes.ts'
import { describeFailure, describeField } from '../../data/failure.ts'
import { areaOf, floorProblemsOf, putShape, removeShape } from '../../domain/floor/draft.ts'
import { FollowedConflict } from '../../record-kit/record-conflict.tsx'
import { DROPPED, EditorCanvas } from './editor-canvas.tsx'
import { FloorHead } from './floor-head.tsx'
import styles from './floor-editor.module.css'
import { PlanPreview } from './plan-preview.tsx'
import { RoomList } from './room-list.tsx'
import { ShapeTable } from './shape-table.tsx'
import { TOOLS, type Tool } from './use-canvas.ts'
import { useFloorForm, type FloorForm } from './use-floor-form.ts'
import { useShapeWords } from './editor-shape.tsx'
import { IMAGE_TYPES } from '../../../contract/homes/upload-calls.ts'
import { call } from '../../data/api.ts'
import { FileButton } from '../../ui/inputs/file-button.tsx'
import { useUpload } from '../../ui/inputs/use-upload.ts'
import { confirmRemoval } from '../../ui/page/confirm-removal.tsx'

/** Page for the rooms on the plan of a floor. Phones only show plans. */
export default function FloorPage() {
  const t = useT()
  const { HomeID = '', FloorID = '' } = useParams()
  const isPhone = usePhone()
  const home = useHomes()?.find((candidate) => candidate.HomeID === HomeID)
  const query = useFloors(HomeID)
  const record = query.data?.find((candidate) => String(candidate.FloorID) === FloorID)
  const names = useMemo(
    () => new Map(home?.RoomList.map(({ RoomID, RoomName }) => [RoomID, RoomName])),
    [home?.RoomList],
  )
  usePageItem(record?.FloorName)
  const back = (
    <ButtonLink to={`${pathTo('Building', { HomeID })}?floor=${encodeURIComponent(FloorID)}`}>
      {t('floorEditor:back')}
    </ButtonLink>
  )
  return (
    <Page
      title={record ? t('floorEditor:title', { floor: record.FloorName }) : t('shell:pages.updateFloor')}
      actions={back}
    >
      {query.error ? (
        <LoadFailed error={query.error} retry={() => void query.refetch()} />
      ) : !query.isAsked ? (
        <EmptyState message={t('floorEditor:noRight')} />
      ) : !query.data || !home ? (
        <ListSkeleton />
      ) : !record ? (
        <EmptyState message={t('floorEditor:gone')} />
      ) : isPhone ? (
        <>
          <p className={page.note}>{t('floorEditor:phone')}</p>
          <PlanPreview record={record} names={names} />
        </>
      ) : (
        <FloorEditor key={FloorID} record={record} floors={query.data} names={names} />
      )}
    </Page>
  )
}

interface Props {
  record: Floor
  floors: readonly Floor[]
  /** All rooms of the home, by RoomID. */
  names: ReadonlyMap<number, string>
}

/** Editor of the rooms on a floor's plan, by pointer, by keyboard and in a table. */
function FloorEditor({ record, floors, names }: Props) {
  const t = useT()
  const { describe } = useShapeWords()
  const form = useFloorForm(record, names)
  const { shapes, draw } = form
  const [tool, setTool] = useState<Tool>('select')
  const [selected, select] = useState<number>()
  const [requestedRoom, setRequestedRoom] = useState<number>()
  const unplaced = unplacedRooms(names, shapes, floors, record)
  const selectedRoomId = unplaced.some(({ RoomID }) => RoomID === requestedRoom)
    ? requestedRoom
    : unplaced[0]?.RoomID
  const problems = useProblems(form)

  const place = (shape: FloorShape) => {
    draw(putShape(shapes, shape))
    select(shape.RoomID)
    if (unplaced.length <= 1) setTool('select')
  }
  const add = (RoomID: number) => {
    setTool('select')
    place(
      areaOf(RoomID, { x: (SCALE - DROPPED) / 2, y: (SCALE - DROPPED) / 2, width: DROPPED, height: DROPPED }),
    )
  }
  const remove = (RoomID: number) => {
    draw(removeShape(shapes, RoomID))
    select(undefined)
    setRequestedRoom(RoomID)
  }
  const selectedShape = shapes.find(({ RoomID }) => RoomID === selected)
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys for everything inside
    <div className={page.stack} onKeyDown={(event) => undoByKey(event, form)}>
      <FloorHead record={record} form={form} isWrong={problems.size > 0} />
      <FollowedConflict tracked={form.tracked} record={record} words={useConflictWords()} />
      {form.failure !== undefined && (
        <Alert type="error" showIcon role="alert" message={describeFailure(form.failure)} />
      )}
      <PlanUpload record={record} />
      <ToolChoice
        tool={tool}
        choose={setTool}
        selectedRoom={selectedRoomId === undefined ? undefined : names.get(selectedRoomId)}
      />
      <div className={styles.desk}>
        <RoomList rooms={unplaced} selectedRoomId={selectedRoomId} choose={setRequestedRoom} add={add} />
        <div className={page.stack}>
          {!record.Plan && <p className={page.note}>{t('floorEditor:blank')}</p>}
          <EditorCanvas
            plan={record.Plan}
            floorName={record.FloorName}
            names={names}
            selected={selected}
            problems={problems}
            remove={remove}
            tool={tool}
            selectedRoomId={selectedRoomId}
            shapes={shapes}
            draw={draw}
            place={place}
            select={select}
          />
          <p className="visually-hidden" role="status">
            {selectedShape && `${names.get(selectedShape.RoomID)} · ${describe(selectedShape)}`}
          </p>
        </div>
      </div>
      <ShapeTable
        shapes={shapes}
        names={names}
        selected={selected}
        problems={problems}
        draw={draw}
        select={select}
        remove={remove}
      />
    </div>
  )
}

/** Rooms on no floor: neither on another one, nor in this draft. */
function unplacedRooms(
  names: ReadonlyMap<number, string>,
  shapes: readonly FloorShape[],
  floors: readonly Floor[],
  { FloorID }: Floor,
) {
  const otherShapes = floors
    .filter((otherFloor) => otherFloor.FloorID !== FloorID)
    .flatMap(({ Shapes }) => Shapes)
  const placed = new Set([...shapes, ...otherShapes].map(({ RoomID }) => RoomID))
  return [...names].filter(([RoomID]) => !placed.has(RoomID)).map(([RoomID, name]) => ({ RoomID, name }))
}

/** Reasons that shapes cannot be saved by RoomID, from this check or the gateway's errors. */
function useProblems({ shapes, refused }: FloorForm): ReadonlyMap<number, string> {
  useT()
  const planProblems = [...floorProblemsOf(shapes)].map(
    ([RoomID, reason]) => [RoomID, describeField(reason)] as const,
  )
  const bySaved = shapes.toSorted((a, b) => a.RoomID - b.RoomID)
  const serverProblems = Object.entries(refused).flatMap(([path, reason]) => {
    const at = /^Shapes\.(\d+)/.exec(path)?.[1]
    const shape = at === undefined ? undefined : bySaved[Number(at)]
    return shape ? [[shape.RoomID, describeField(reason)] as const] : []
  })
  return new Map([...serverProblems, ...planProblems])
}

function useConflictWords() {
  const t = useT()
  return [
    { label: t('resources:floor.fields.FloorName'), of: (record: Floor) => record.FloorName },
    { label: t('resources:floor.fields.Order'), of: (record: Floor) => String(record.Order) },
    {
      label: t('resources:floor.fields.Shapes'),
      of: ({ Shapes }: Floor) => t('floorEditor:placed', { count: Shapes.length }),
    },
  ]
}

/** Ctrl-Z and Ctrl-Shift-Z or Ctrl-Y; not in inputs, which have their own undo. */
function undoByKey(event: KeyboardEvent, form: FloorForm) {
  if (!(event.ctrlKey || event.metaKey) || event.target instanceof HTMLInputElement) return
  const key = event.key.toLowerCase()
  if (key === 'z') (event.shiftKey ? form.redo : form.undo)()
  else if (key === 'y') form.redo()
  else return
  event.preventDefault()
}

interface ToolProps {
  tool: Tool
  choose: (tool: Tool) => void
  selectedRoom: string | undefined
}

function ToolChoice({ tool, choose, selectedRoom }: ToolProps) {
  const t = useT()
  return (
    <div className={page.row}>
      <fieldset className={page.buttons} aria-label={t('floorEditor:tool')}>
        {TOOLS.map((choice) => (
          <button
            key={choice}
            type="button"
            className={page.chip}
            aria-pressed={choice === tool}
            disabled={choice !== 'select' && selectedRoom === undefined}
            onClick={() => choose(choice)}
          >
            {t(`floorEditor:tools.${choice}`)}
          </button>
        ))}
      </fieldset>
      <span className={page.small}>{t(`floorEditor:how.${tool}`, { room: selectedRoom ?? '' })}</span>
    </div>
  )
}

/** Uploads, replaces and removes the plan of a floor; rooms keep their places. */
function PlanUpload({ record: { HomeID, FloorID, FloorName, Plan } }: { record: Floor }) {
  const t = useT()
  const key = { HomeID, FloorID }
  const { busy, problem, reset, upload } = useUpload(
    (ContentType) => call(floorCalls.uploadPlan, { ...key, ContentType }),
    {
      tooBig: t('floorEditor:upload.tooBig'),
      tooSmall: t('floorEditor:upload.tooSmall'),
    },
  )
  return (
    <div className={page.tightStack}>
      <div className={page.tightRow}>
        <FileButton
          label={t('floorEditor:upload.upload')}
          accept={IMAGE_TYPES}
          busy={busy}
          choose={(file) => void upload(file)}
        >
          {t(Plan ? 'floorEditor:upload.replace' : 'floorEditor:upload.upload')}
        </FileButton>
        {Plan && (
          <Button
            type="text"
            danger
            icon={<DeleteOutlined />}
            onClick={() =>
              confirmRemoval({
                name: t('floorEditor:planOf', { floor: FloorName }),
                consequence: t('floorEditor:upload.consequence'),
                remove: () => call(floorCalls.deletePlan, key),
              })
            }
          >
            {t('floorEditor:upload.remove')}
          </Button>
        )}
        <span className={page.small}>{t('floorEditor:upload.hint')}</span>
      </div>
      {problem && <Alert type="error" showIcon message={problem} closable onClose={reset} />}
    </div>
  )
}
