package neighbor

type tree struct {
	nodes  []int
	points int
	renew  bool
}

func (w *workspace) buildTree()  {}
func (w *workspace) searchTree() {}
