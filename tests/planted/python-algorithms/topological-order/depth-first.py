def task_order(dependencies):
    order, state = [], {}
    def visit(task):
        if state.get(task) == 1:
            raise ValueError("cycle")
        if task not in state:
            state[task] = 1
            for each in sorted(dependencies.get(task, [])):
                visit(each)
            state[task] = 2
            order.append(task)
    for task in sorted(dependencies):
        visit(task)
    return order
