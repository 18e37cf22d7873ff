import { Link, useLocation } from 'wouter';
import { Icon } from '../ui/icon';
import { type Screen, shownScreens, type Task, TASKS } from './screens';
import { useSession } from './session';
import { useUnread } from './unread';
import { rich, t } from '../language/translate';

/** The screens that the key's scopes allow, grouped by task; a task with a single screen is itself a link. */
export function Navigation() {
  const session = useSession();
  const shown = shownScreens(session);
  const tasks = Object.keys(TASKS) as Task[];
  return (
    <nav className="nav" aria-label={t('Main')}>
      {tasks.map((task) => {
        const screens = shown.filter(({ nav }) => nav?.task === task);
        return screens.length > 0 && <TaskEntry key={task} task={task} screens={screens} />;
      })}
    </nav>
  );
}

function TaskEntry({ task, screens }: { task: Task; screens: readonly Screen[] }) {
  if (screens.length === 1) return <Entry screen={screens[0]!} icon={task} label={screens[0]!.nav!.label} />;
  return (
    <div className="nav-group" role="group" aria-label={TASKS[task].name}>
      <span className="nav-task">
        <Icon name={TASKS[task].icon} size={18} /> {TASKS[task].name}
      </span>
      {screens.map((screen) => (
        <Entry key={screen.path} screen={screen} label={screen.nav!.label} />
      ))}
    </div>
  );
}

/** How many conversations are unread; nothing if none are. */
export function UnreadCount() {
  const unread = useUnread();
  if (unread === '') return null;
  return (
    <span className="unread-count nav-count">
      {rich('{count}<hidden> unread</hidden>', {
        count: unread,
        hidden: (text) => <span className="visually-hidden">{text}</span>,
      })}
    </span>
  );
}

function Entry({ screen, icon, label }: { screen: Screen; icon?: Task; label: string }) {
  const [path] = useLocation();
  // A list's entry stays current on the detail screens below it.
  const isCurrent = screen.path === '/' ? path === '/' : path === screen.path || path.startsWith(`${screen.path}/`);
  return (
    <Link
      to={screen.path}
      className="nav-entry"
      aria-current={isCurrent ? 'page' : undefined}
      data-nested={!icon || undefined}
    >
      {icon && <Icon name={TASKS[icon].icon} size={18} />}
      {label}
      {screen.path === '/conversations' && <UnreadCount />}
    </Link>
  );
}
