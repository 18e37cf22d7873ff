import { Link, useLocation } from 'wouter';
import { Icon } from '../ui/icon';
import { type Screen, SCREENS, type Task, TASKS } from './screens';
import { useSession } from './session';

/** The screens that the key's scopes allow, grouped by task; a task with a single screen is itself a link. */
export function Navigation() {
  const session = useSession();
  const shown = SCREENS.filter(({ nav, scopes }) => nav && (scopes.length === 0 || session.can(...scopes)));
  const tasks = Object.keys(TASKS) as Task[];
  return (
    <nav className="nav" aria-label="Main">
      {tasks.map((task) => {
        const screens = shown.filter(({ nav }) => nav?.task === task);
        return screens.length > 0 && <TaskEntry key={task} task={task} screens={screens} />;
      })}
    </nav>
  );
}

function TaskEntry({ task, screens }: { task: Task; screens: readonly Screen[] }) {
  if (screens.length === 1) return <Entry screen={screens[0]!} icon={task} label={task} />;
  return (
    <div className="nav-group" role="group" aria-label={task}>
      <span className="nav-task">
        <Icon name={TASKS[task]} size={18} /> {task}
      </span>
      {screens.map((screen) => (
        <Entry key={screen.path} screen={screen} label={screen.nav!.label} />
      ))}
    </div>
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
      {icon && <Icon name={TASKS[icon]} size={18} />}
      {label}
    </Link>
  );
}
